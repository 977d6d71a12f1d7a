package dev.abacus.topology.model.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.InstanceStatus.ModelDemand;
import dev.abacus.schemas.control.ModelWait;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Instances that share a limit and learn of each other as by the status topic. */
@Timeout(120)
class SharedLimitTest {

  private static final long PER_MINUTE = 600;
  private static final int BACKLOG = 60;
  private static final Duration STATUS = Duration.ofSeconds(2);
  private static final Duration STALE = Duration.ofSeconds(10);
  private static final Duration STEP = Duration.ofMillis(100);

  private final VirtualTime time = new VirtualTime();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, Instance> instances = new LinkedHashMap<>();

  /** The last status of each instance on the topic. */
  private final Map<String, Status> topic = new LinkedHashMap<>();

  private record Status(List<ModelDemand> demands, Instant at) {}

  /** The time of an instance: its end does not stop the time of the others. */
  private final class OwnTimer implements AdmissionTimer {
    @Override
    public Instant instant() {
      return time.instant();
    }

    @Override
    public void schedule(Duration delay, Runnable task) {
      time.schedule(delay, task);
    }

    @Override
    public void close() {}
  }

  /** A worker with more calls than the limit allows. */
  private final class Instance {
    private final AdmissionController admission;
    private final AtomicLong answered = new AtomicLong();
    private final int backlog;
    private final Map<String, AtomicLong> byModel = new ConcurrentHashMap<>();

    Instance(AdmissionController.Settings settings, String... models) {
      backlog = BACKLOG * models.length;
      admission =
          new AdmissionController(
              ModelCatalogue.builtIn(), settings, new OwnTimer(), new Random(7));
      ModelClient client =
          admission.around(
              request -> {
                answered.incrementAndGet();
                byModel.computeIfAbsent(request.model(), _ -> new AtomicLong()).incrementAndGet();
                return new ModelAnswer.Success(
                    "yes", new ExecutionStats(0.1, 0.5, 1, TokenCounts.of(10, 0, 1)), List.of());
              },
              Caller.live("p"));
      for (String model : models) {
        for (int i = 0; i < BACKLOG; i++) {
          var _ = threads.submit(() -> callForEver(client, model));
        }
      }
    }

    private void callForEver(ModelClient client, String model) {
      try {
        while (true) {
          var _ = client.call(ModelRequest.of(model, "s", List.of(new Content.Text("u")), null));
        }
      } catch (InterruptedException e) {
        // The instance stopped.
      }
    }

    private long waiting() {
      return admission.waits("p").stream().mapToLong(ModelWait::waitingCalls).sum();
    }
  }

  @AfterEach
  void close() {
    instances.values().forEach(instance -> instance.admission.close());
    threads.close();
  }

  private static AdmissionController.Settings limitOfModel() {
    return new AdmissionController.Settings(
        Set.of(), CallLimits.NONE, Map.of("gpt-4o", new CallLimits(PER_MINUTE, null)));
  }

  private void start(String name, AdmissionController.Settings settings, String... models) {
    instances.put(name, new Instance(settings, models));
  }

  /** A crash: the instance stops without a word. */
  private void crash(String name) {
    Objects.requireNonNull(instances.remove(name)).admission.close();
  }

  /** Runs all instances for some time; returns the calls of each. */
  private Map<String, Long> run(Duration span) {
    Map<String, Long> before = new LinkedHashMap<>();
    instances.forEach((name, instance) -> before.put(name, instance.answered.get()));
    Instant end = time.instant().plus(span);
    while (time.instant().isBefore(end)) {
      for (Instance instance : instances.values()) {
        while (instance.waiting() < instance.backlog) {
          LockSupport.parkNanos(10_000);
          assertThat(Thread.currentThread().isInterrupted()).as("timeout").isFalse();
        }
      }
      time.advance(STEP);
      if (time.instant().toEpochMilli() % STATUS.toMillis() == 0) {
        exchange();
      }
    }
    Map<String, Long> calls = new LinkedHashMap<>();
    instances.forEach((name, instance) ->
        calls.put(name, instance.answered.get() - before.getOrDefault(name, 0L)));
    return calls;
  }

  private void exchange() {
    Instant now = time.instant();
    instances.forEach(
        (name, instance) -> topic.put(name, new Status(instance.admission.demands(), now)));
    topic.values().removeIf(status -> status.at().isBefore(now.minus(STALE)));
    instances.forEach((name, instance) -> {
      Map<String, List<ModelDemand>> others = new LinkedHashMap<>();
      topic.forEach((other, status) -> {
        if (!other.equals(name)) {
          others.put(other, status.demands());
        }
      });
      instance.admission.share(others, STATUS.multipliedBy(2));
    });
  }

  private Instance instance(String name) {
    return Objects.requireNonNull(instances.get(name));
  }

  private static long sum(Map<String, Long> calls) {
    return calls.values().stream().mapToLong(each -> each).sum();
  }

  private static void assertShared(Map<String, Long> perMinute, int instances) {
    assertThat(sum(perMinute))
        .as(perMinute + " of " + PER_MINUTE)
        .isBetween((long) (0.95 * PER_MINUTE), (long) (1.01 * PER_MINUTE) + 1);
    assertThat(perMinute.values())
        .as("an equal part each: " + perMinute)
        .allSatisfy(calls ->
            assertThat(calls.doubleValue())
                .isBetween(0.85 * PER_MINUTE / instances, 1.15 * PER_MINUTE / instances));
  }

  @Test
  void aThirdWorkerDividesTheLimitAgain() {
    start("worker-1", limitOfModel(), "gpt-4o");
    start("worker-2", limitOfModel(), "gpt-4o");
    run(Duration.ofMinutes(1));
    assertShared(run(Duration.ofMinutes(1)), 2);

    start("worker-3", limitOfModel(), "gpt-4o");
    assertThat(sum(run(Duration.ofMinutes(1)))).as("while it joins").isLessThan(690);
    assertShared(run(Duration.ofMinutes(1)), 3);
  }

  @Test
  void theOthersTakeThePartOfAStaleInstanceAndGiveItBackAfterItsRestart() {
    start("worker-1", limitOfModel(), "gpt-4o");
    start("worker-2", limitOfModel(), "gpt-4o");
    run(Duration.ofMinutes(1));

    crash("worker-2");
    // Ten seconds until the instance is stale, in which its part is unused.
    run(Duration.ofSeconds(20));
    assertShared(run(Duration.ofMinutes(1)), 1);

    start("worker-2", limitOfModel(), "gpt-4o");
    run(Duration.ofMinutes(1));
    assertShared(run(Duration.ofMinutes(1)), 2);
  }

  @Test
  void theModelsOfAKeyShareItsLimit() {
    AdmissionController.Settings key =
        new AdmissionController.Settings(Set.of(), new CallLimits(PER_MINUTE, null), Map.of());
    start("worker-1", key, "gpt-4o", "gpt-4o-mini");
    start("worker-2", key, "gpt-4o");
    run(Duration.ofMinutes(1));

    Map<String, Long> calls = run(Duration.ofMinutes(1));
    assertThat(sum(calls))
        .as("calls of all models with the key: " + calls)
        .isBetween((long) (0.9 * PER_MINUTE), (long) (1.02 * PER_MINUTE));
    assertThat(instance("worker-1").admission.waits("p"))
        .as("what the calls wait for")
        .hasSize(2)
        .allMatch(wait -> wait.cause() == ModelWait.Cause.RATE_LIMIT)
        .anyMatch(wait -> wait.message().contains("over all models of the key"));
    assertThat(instance("worker-1").byModel.values())
        .as("no model starves")
        .allSatisfy(model -> assertThat(model.get()).isGreaterThan(PER_MINUTE / 10));
  }
}
