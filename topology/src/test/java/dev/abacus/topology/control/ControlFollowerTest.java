package dev.abacus.topology.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.value.RecordValues;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ControlFollowerTest {

  private static final TopicPartition PARTITION =
      new TopicPartition(KafkaNames.UNPREFIXED.control(), 0);

  private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
  private final Supervisor supervisor =
      new Supervisor(RestartPolicy.standard(KafkaException.class::isInstance), Clock.systemUTC());
  private final AtomicLong offset = new AtomicLong();

  private void write(String key, @Nullable String value) {
    consumer.addRecord(
        new ConsumerRecord<>(
            KafkaNames.UNPREFIXED.control(),
            0,
            offset.getAndIncrement(),
            key.getBytes(StandardCharsets.UTF_8),
            value == null ? null : value.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void hostileRecordsDoNotStopTheFollower() throws Exception {
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, 0L));
    consumer.schedulePollTask(ControlFollowerTest.this::writeHostileRecords);
    consumer.schedulePollTask(() -> write("paused/p", "true"));
    CountDownLatch paused = new CountDownLatch(1);
    ControlCodec codec = new ControlCodec(ModelCatalogue.builtIn(), RecordValues.WITHOUT_REGISTRY);

    try (ControlFollower _ =
        new ControlFollower(
            consumer,
            KafkaNames.UNPREFIXED,
            codec,
            supervisor,
            (program, plans) -> {
              if (plans.state().paused()) {
                paused.countDown();
              }
            })) {
      assertThat(paused.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aResumptionIsToldEvenIfTheProgramWasNotPausedButNotOneOfThePast() throws Exception {
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, 1L));
    consumer.schedulePollTask(() -> write("paused/past", "false"));
    CountDownLatch caughtUp = new CountDownLatch(1);
    BlockingQueue<String> resumed = new LinkedBlockingQueue<>();
    ControlCodec codec = new ControlCodec(ModelCatalogue.builtIn(), RecordValues.WITHOUT_REGISTRY);

    try (ControlFollower _ =
        new ControlFollower(
            consumer,
            KafkaNames.UNPREFIXED,
            codec,
            supervisor,
            new ControlFollower.Listener() {
              @Override
              public void changed(String program, ProgramPlans plans) {
                caughtUp.countDown();
              }

              @Override
              public void resumed(String program) {
                resumed.add(program);
              }
            })) {
      assertThat(caughtUp.await(30, TimeUnit.SECONDS)).isTrue();
      consumer.schedulePollTask(() -> {
        write("paused/p", "true");
        write("paused/q", "false");
      });
      assertThat(resumed.poll(30, TimeUnit.SECONDS)).isEqualTo("q");
      assertThat(resumed).isEmpty();
    }
  }

  /** The end that a consumer sees has the records that its next poll brings. */
  @Test
  void recordsThatKeepComingDoNotKeepTheFollowerFromItsStart() throws Exception {
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, 1L));
    CountDownLatch caughtUp = new CountDownLatch(1);
    ControlCodec codec = new ControlCodec(ModelCatalogue.builtIn(), RecordValues.WITHOUT_REGISTRY);
    for (int i = 0; i < 20; i++) {
      long end = i + 2;
      consumer.schedulePollTask(() -> {
        write("paused/p", "true");
        consumer.updateEndOffsets(Map.of(PARTITION, end));
      });
    }

    try (ControlFollower _ =
        new ControlFollower(
            consumer, KafkaNames.UNPREFIXED, codec, supervisor, (_, _) -> caughtUp.countDown())) {
      assertThat(caughtUp.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void ofRecordsThatArriveTogetherTheLastStateIsTold() throws Exception {
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, 0L));
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    ControlCodec codec = new ControlCodec(ModelCatalogue.builtIn(), RecordValues.WITHOUT_REGISTRY);
    consumer.schedulePollTask(() -> {}); // The topic is read to its end.
    consumer.schedulePollTask(() -> {
      write("paused/came-and-went", "true");
      write("paused/stays", "true");
      write("paused/came-and-went", null);
    });

    try (ControlFollower _ =
        new ControlFollower(
            consumer,
            KafkaNames.UNPREFIXED,
            codec,
            supervisor,
            (program, plans) -> told.add(program + " " + plans.state().paused()))) {
      assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("came-and-went false");
      assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("stays true");
      assertThat(told).isEmpty();
    }
  }

  @Test
  void aPurgedProgramIsForgottenWithItsPlans() throws Exception {
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, 0L));
    ControlCodec codec = new ControlCodec(ModelCatalogue.builtIn(), RecordValues.WITHOUT_REGISTRY);
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                """
                program: p
                sources: { docs: { topic: docs } }
                operators: [{ project: [text] }]
                results: { topic: out }
                """);
    PlanChoice choice =
        new PlanChoice(
            program.operators().stream()
                .map(operator -> new PlanStep(operator, new Relational()))
                .toList(),
            new Estimate(1, 0, 0));
    BlockingQueue<Set<Long>> epochs = new LinkedBlockingQueue<>();
    // Before the follower starts: it must find the first records when it first polls.
    consumer.schedulePollTask(() -> {
      write(new ControlRecord.ProgramSet(program));
      write(
          new ControlRecord.PlanPublished(
              new PhysicalPlan("p", 1, choice, program.objective(), List.of())));
      write("program/p", null);
    });
    consumer.schedulePollTask(() -> write("plan/p/1", null));
    consumer.schedulePollTask(() -> write(new ControlRecord.ProgramSet(program)));

    try (ControlFollower _ =
        new ControlFollower(
            consumer,
            KafkaNames.UNPREFIXED,
            codec,
            supervisor,
            (_, plans) -> epochs.add(Set.copyOf(plans.state().plans().keySet())))) {
      assertThat(next(epochs)).as("after the removal").containsExactly(1L);
      assertThat(next(epochs)).as("after the removal of its plan").isEmpty();
      assertThat(next(epochs)).as("applied again").isEmpty();
    }
  }

  private static Set<Long> next(BlockingQueue<Set<Long>> epochs) throws InterruptedException {
    return Objects.requireNonNull(epochs.poll(30, TimeUnit.SECONDS));
  }

  private void write(ControlRecord record) {
    write(record.key().path(), new String(ControlCodec.encode(record), StandardCharsets.UTF_8));
  }

  private void writeHostileRecords() {
    for (String hostile :
        new String[] {"a: &a {b: *a}", "[".repeat(100_000), "{}", "{\"epoch\": 1e999999999}"}) {
      for (String key :
          new String[] {"program/p", "paused/p", "plan/p/1", "active/p", "budget/p", "//", "p"}) {
        write(key, hostile);
      }
    }
  }
}
