package dev.abacus.topology.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ControlFollowerTest {

  private static final TopicPartition PARTITION =
      new TopicPartition(KafkaNames.UNPREFIXED.control(), 0);

  private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("earliest");
  private final Supervisor supervisor =
      new Supervisor(RestartPolicy.standard(KafkaException.class::isInstance), Clock.systemUTC());
  private final AtomicLong offset = new AtomicLong();

  private void write(String key, String value) {
    consumer.addRecord(
        new ConsumerRecord<>(
            KafkaNames.UNPREFIXED.control(),
            0,
            offset.getAndIncrement(),
            key,
            value.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void hostileRecordsDoNotStopTheFollower() throws Exception {
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.updateEndOffsets(Map.of(PARTITION, 0L));
    consumer.schedulePollTask(ControlFollowerTest.this::writeHostileRecords);
    consumer.schedulePollTask(() -> write("paused/p", "true"));
    CountDownLatch paused = new CountDownLatch(1);
    ControlCodec codec = new ControlCodec(ModelCatalogue.builtIn(), ControlCodec.AvroReader.NONE);

    try (ControlFollower _ =
        ControlFollower.start(
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
    ControlCodec codec = new ControlCodec(ModelCatalogue.builtIn(), ControlCodec.AvroReader.NONE);

    try (ControlFollower _ =
        ControlFollower.start(
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
