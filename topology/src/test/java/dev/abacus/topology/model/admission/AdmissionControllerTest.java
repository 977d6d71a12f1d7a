package dev.abacus.topology.model.admission;

import static dev.abacus.topology.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.InstanceStatus.ModelHealth;
import dev.abacus.schemas.control.ModelWait;
import dev.abacus.schemas.control.ModelWait.Cause;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.WaitListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls of documents and of samples, against a provider that fails and recovers. */
@Timeout(30)
class AdmissionControllerTest {

  private static final ModelFailure DOWN = new ModelFailure.ServerError(503, "down", null);
  private static final ModelFailure NO_CREDIT = new ModelFailure.QuotaExhausted("no credit");
  private static final ModelFailure NO_KEY = new ModelFailure.AuthenticationFailed("bad key");
  private static final ModelFailure NO_MODEL = new ModelFailure.UnknownModel("no such model");

  private final VirtualTime time = new VirtualTime();
  private final AdmissionController admission =
      new AdmissionController(
          ModelCatalogue.builtIn(),
          new AdmissionController.Settings(Set.of("gone"), CallLimits.NONE, Map.of()),
          time,
          new Random(7));
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** The failure of each model now; models that are absent answer. */
  private final Map<String, ModelFailure> failing = new ConcurrentHashMap<>();

  private final Map<String, AtomicInteger> received = new ConcurrentHashMap<>();

  private final ModelClient provider =
      request -> {
        received.computeIfAbsent(request.model(), _ -> new AtomicInteger()).incrementAndGet();
        ModelFailure failure = failing.get(request.model());
        return failure != null
            ? new ModelAnswer.Failed(failure, new ExecutionStats(0.01, 3, 1))
            : new ModelAnswer.Success("yes", new ExecutionStats(0.1, 0.5, 1), List.of());
      };

  private final ModelClient live = admission.around(provider, Caller.live("p"));
  private final ModelClient sample = admission.around(provider, Caller.sample("p"));

  @AfterEach
  void close() {
    admission.close();
    threads.close();
  }

  private Future<ModelAnswer> start(ModelClient client, String model) {
    return threads.submit(
        () -> client.call(ModelRequest.of(model, "s", List.of(new Content.Text("u")), null)));
  }

  /** If documents waited for it, all of them would go on at once when it answers first. */
  @Test
  void noCallOfTheEmbedderInTheProcessWaits() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    Embedder slow =
        Embedder.of(
            ModelCard.IN_PROCESS_EMBEDDER,
            _ -> {
              running.incrementAndGet();
              end.await();
              return EmbeddingAnswer.Success.EMPTY;
            });
    try (AdmissionController limited =
        new AdmissionController(
            ModelCatalogue.builtIn(),
            new AdmissionController.Settings(Set.of(), new CallLimits(1L, 1L), Map.of()),
            time,
            new Random(7))) {
      Embedder embedder = limited.around(slow, Caller.live("p"));
      for (int i = 0; i < 40; i++) {
        threads.submit(() -> embedder.embed(List.of("text")));
      }

      until(() -> running.get() == 40);
      assertThat(limited.waits("p")).isEmpty();
      end.countDown();
    }
  }

  private List<Future<ModelAnswer>> start(ModelClient client, String model, int calls) {
    List<Future<ModelAnswer>> started = new ArrayList<>();
    for (int i = 0; i < calls; i++) {
      started.add(start(client, model));
    }
    return started;
  }

  private int received(String model) {
    AtomicInteger count = received.get(model);
    return count == null ? 0 : count.get();
  }

  private long waiting(String model) {
    return admission.waits("p").stream()
        .filter(wait -> wait.model().equals(model))
        .mapToLong(ModelWait::waitingCalls)
        .sum();
  }

  /** Advances the time in small steps, as fast as the calls of other threads allow. */
  private void advanceUntil(BooleanSupplier condition) {
    until(() -> {
      time.advance(Duration.ofMillis(100));
      return condition.getAsBoolean();
    });
  }

  static List<ModelFailure> faultsOfTheProvider() {
    return List.of(
        DOWN,
        new ModelFailure.TimedOut("late"),
        new ModelFailure.ConnectionLost("refused"),
        new ModelFailure.RateLimited("slow", Duration.ofSeconds(3)),
        new ModelFailure.RateLimited("slow", null),
        NO_CREDIT,
        NO_KEY,
        NO_MODEL);
  }

  @ParameterizedTest
  @MethodSource("faultsOfTheProvider")
  void aDocumentWaitsUntilItsModelAnswersWhateverTheFault(ModelFailure fault) throws Exception {
    failing.put("gpt-4o", fault);
    List<Future<ModelAnswer>> calls = start(live, "gpt-4o", 20);
    until(() -> waiting("gpt-4o") == 20);
    for (int hour = 0; hour < 3 * 3600; hour++) {
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(calls).noneMatch(Future::isDone);

    failing.clear();
    advanceUntil(() -> calls.stream().allMatch(Future::isDone));
    for (Future<ModelAnswer> call : calls) {
      assertThat(call.get().failure()).isNull();
    }
    assertThat(admission.waits("p")).isEmpty();
  }

  @Test
  void anAnswerHasTheCostOfAllAttemptsAndTheLatencyAndAttemptsOfItsOwn() throws Exception {
    failing.put("gpt-4o", DOWN);
    Future<ModelAnswer> call = start(live, "gpt-4o");
    until(() -> waiting("gpt-4o") == 1);
    failing.clear();
    advanceUntil(call::isDone);
    assertThat(call.get().cost()).isCloseTo(0.1 + 0.01 * (received("gpt-4o") - 1), within(1e-9));
    assertThat(call.get().latency()).isEqualTo(0.5);
    assertThat(call.get().attempts()).isEqualTo(1);
  }

  @Test
  void theStatusSaysWhatCallsWaitForAndUntilWhen() {
    failing.put("gpt-4o", NO_CREDIT);
    start(live, "gpt-4o", 3);
    until(() -> waiting("gpt-4o") == 3);
    assertThat(admission.waits("p"))
        .containsExactly(
            new ModelWait(
                "gpt-4o",
                Cause.QUOTA,
                "no credit",
                3,
                time.instant().plusSeconds(5),
                time.instant()));
    assertThat(admission.waits("other program")).isEmpty();
    assertThat(admission.health()).extracting(ModelHealth::open).containsExactly(true);
  }

  @Test
  void anAccountWithoutCreditIsProbedByOneCallAtIntervalsThatGrowToFiveMinutes() {
    failing.put("gpt-4o", NO_CREDIT);
    start(live, "gpt-4o", 50);
    until(() -> waiting("gpt-4o") == 50);
    int before = received("gpt-4o");
    List<Long> intervals = new ArrayList<>();
    for (int probe = 1; probe <= 10; probe++) {
      int expected = before + probe;
      long seconds = 0;
      while (received("gpt-4o") < expected) {
        time.advance(Duration.ofSeconds(1));
        seconds++;
        // The probe runs on another thread: wait until it is back at the gate.
        until(() -> waiting("gpt-4o") == 50);
      }
      intervals.add(seconds);
    }
    assertThat(intervals).containsExactly(5L, 10L, 20L, 40L, 80L, 160L, 300L, 300L, 300L, 300L);
  }

  @Test
  void aResumptionProbesAtOnce() throws Exception {
    failing.put("gpt-4o", NO_KEY);
    List<Future<ModelAnswer>> calls = start(live, "gpt-4o", 5);
    until(() -> waiting("gpt-4o") == 5);
    for (int i = 0; i < 600; i++) {
      time.advance(Duration.ofSeconds(1));
    }
    until(() -> waiting("gpt-4o") == 5);
    failing.clear();
    admission.probeNow();
    until(() -> calls.stream().allMatch(Future::isDone));
    assertThat(calls.getFirst().get().failure()).isNull();
  }

  @Test
  void aModelOfTheSameAccountFindsOutWithASingleCall() {
    start(live, "gpt-4o-mini", 1);
    until(() -> received("gpt-4o-mini") == 1);
    failing.put("gpt-4o", NO_CREDIT);
    failing.put("gpt-4o-mini", NO_CREDIT);
    start(live, "gpt-4o", 1);
    until(() -> waiting("gpt-4o") == 1);
    start(live, "gpt-4o-mini", 30);
    until(() -> waiting("gpt-4o-mini") == 30);
    assertThat(received("gpt-4o-mini")).isEqualTo(2);
  }

  @Test
  void callsOfOtherModelsGoOn() throws Exception {
    failing.put("gpt-4o", NO_MODEL);
    start(live, "gpt-4o", 3);
    until(() -> waiting("gpt-4o") == 3);
    assertThat(start(live, "gpt-4o-mini").get().failure()).isNull();
  }

  @Test
  void aSampleReturnsTheFaultOfTheProviderAfterItsPatience() throws Exception {
    failing.put("gpt-4o", DOWN);
    Future<ModelAnswer> call = start(sample, "gpt-4o");
    until(() -> waiting("gpt-4o") == 1);
    for (int i = 0; i < 59; i++) {
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(call.isDone()).isFalse();
    advanceUntil(call::isDone);
    assertThat(call.get().failure()).isEqualTo(DOWN);
  }

  @Test
  void aSampleDoesNotWaitForAModelOrAKeyThatOnlyAnOperatorCanRestore() throws Exception {
    failing.put("gpt-4o", NO_MODEL);
    for (int i = 0; i < 20; i++) {
      assertThat(start(sample, "gpt-4o").get().failure()).isEqualTo(NO_MODEL);
    }
    assertThat(received("gpt-4o")).isEqualTo(1);
  }

  @Test
  void aFailureThatTheDocumentCausesIsReturnedAtOnce() throws Exception {
    ModelFailure failure = new ModelFailure.ContextTooLong("too long");
    failing.put("gpt-4o", failure);
    assertThat(start(live, "gpt-4o").get().failure()).isEqualTo(failure);
    assertThat(received("gpt-4o")).isEqualTo(1);
  }

  /** Answers every request except those with this text. */
  private ModelClient failingFor(String poison) {
    return admission.around(
        request -> {
          received.computeIfAbsent(request.model(), _ -> new AtomicInteger()).incrementAndGet();
          return request.content().contains(new Content.Text(poison))
              ? new ModelAnswer.Failed(
                  new ModelFailure.ServerError(500, "crash", null), new ExecutionStats(0.01, 3, 1))
              : new ModelAnswer.Success("yes", new ExecutionStats(0.1, 0.5, 1), List.of());
        },
        Caller.live("p"));
  }

  private static ModelRequest request(String text) {
    return ModelRequest.of("gpt-4o", "s", List.of(new Content.Text(text)), null);
  }

  @Test
  void aDocumentThatAloneMakesTheServerFailIsGivenUpWithItsReason() throws Exception {
    ModelClient client = failingFor("poison");
    Future<ModelAnswer> poison = threads.submit(() -> client.call(request("poison")));
    AtomicInteger others = new AtomicInteger();
    until(() -> {
      if (!poison.isDone()) {
        var _ = threads.submit(() -> client.call(request("good " + others.incrementAndGet())));
        time.advance(Duration.ofSeconds(1));
      }
      return poison.isDone();
    });

    assertThat(poison.get().failure())
        .isInstanceOfSatisfying(
            ModelFailure.FailsAlone.class,
            failure ->
                assertThat(failure.message())
                    .contains("attempts failed while other calls of the model were answered")
                    .contains("crash"));
    assertThat(poison.get().cost()).as("every try is counted").isGreaterThanOrEqualTo(0.05);
  }

  @Test
  void aDocumentIsNotGivenUpWhileOthersFailTooOrNoneIsAnswered() throws Exception {
    ModelClient alone = failingFor("poison");
    Future<ModelAnswer> first = threads.submit(() -> alone.call(request("poison")));
    until(() -> waiting("gpt-4o") == 1);
    for (int minute = 0; minute < 24 * 60; minute++) {
      time.advance(Duration.ofMinutes(1));
      // The call may have begun a pause that is over by now, and goes on when time does.
      advanceUntil(() -> waiting("gpt-4o") == 1);
    }
    assertThat(first).as("no other document was answered").isNotDone();
  }

  @Test
  void aRetiredModelFailsWithoutACall() throws Exception {
    assertThat(start(live, "gone").get().failure()).isInstanceOf(ModelFailure.UnknownModel.class);
    assertThat(received("gone")).isZero();
  }

  @Test
  void anInterruptEndsAWaitAtOnce() {
    failing.put("gpt-4o", DOWN);
    Future<ModelAnswer> call = start(live, "gpt-4o");
    until(() -> waiting("gpt-4o") == 1);
    call.cancel(true);
    until(() -> admission.waits("p").isEmpty());
  }

  @Test
  void anInterruptedProbeLeavesTheProbeToTheNextCall() throws Exception {
    CountDownLatch probing = new CountDownLatch(1);
    ModelClient stuck =
        admission.around(
            request -> {
              if (failing.containsKey(request.model())) {
                return provider.call(request);
              }
              probing.countDown();
              new CountDownLatch(1).await();
              return provider.call(request);
            },
            Caller.live("p"));
    failing.put("gpt-4o", NO_CREDIT);
    Future<ModelAnswer> probe = start(stuck, "gpt-4o");
    until(() -> waiting("gpt-4o") == 1);
    failing.clear();
    time.advance(Duration.ofSeconds(5));
    assertThat(probing.await(10, TimeUnit.SECONDS)).isTrue();
    Future<ModelAnswer> next = start(live, "gpt-4o");
    until(() -> waiting("gpt-4o") == 1);
    probe.cancel(true);
    assertThat(next.get().failure()).isNull();
  }

  @Test
  void closeEndsAllWaits() {
    failing.put("gpt-4o", DOWN);
    List<Future<ModelAnswer>> calls = start(live, "gpt-4o", 4);
    until(() -> waiting("gpt-4o") == 4);
    admission.close();
    until(() -> calls.stream().allMatch(Future::isDone));
    assertThat(calls)
        .allSatisfy(
            call -> assertThat(call.exceptionNow()).isInstanceOf(InterruptedException.class));
  }

  @Test
  void theListenerOfTheWorkHearsOfEachWait() {
    AtomicInteger waits = new AtomicInteger();
    WaitListener listener =
        new WaitListener() {
          @Override
          public void waiting() {
            waits.incrementAndGet();
          }

          @Override
          public void resumed() {
            waits.decrementAndGet();
          }
        };
    failing.put("gpt-4o", DOWN);
    ModelClient observed =
        request -> ScopedValue.where(WaitListener.CURRENT, listener).call(() -> live.call(request));
    Future<ModelAnswer> call = start(observed, "gpt-4o");
    until(() -> waits.get() == 1);
    failing.clear();
    advanceUntil(call::isDone);
    assertThat(waits.get()).isZero();
  }
}
