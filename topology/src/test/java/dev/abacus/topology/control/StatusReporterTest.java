package dev.abacus.topology.control;

import static dev.abacus.topology.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When an instance writes the status of a program. */
@Timeout(60)
class StatusReporterTest {

  private static final int INTERVALS = 41;
  private static final int CHANGES_AT = 18;

  private final CountDownLatch intervals = new CountDownLatch(INTERVALS);

  private final Supervisor supervisor =
      new Supervisor(
          RestartPolicy.standard(KafkaException.class::isInstance), InstantSource.system());

  private StatusReporter reporter(MockProducer<byte[], byte[]> producer) {
    return new StatusReporter(
        producer, "status", "process", this::statuses, Duration.ofMillis(1), supervisor);
  }

  private List<InstanceStatus> statuses() {
    long interval = INTERVALS - intervals.getCount();
    intervals.countDown();
    return List.of(
        InstanceStatus.builder("p", "w", Instant.EPOCH.plusSeconds(interval), "RUNNING")
            .results(interval < CHANGES_AT ? 0 : interval)
            .build(),
        InstanceStatus.builder("idle", "w", Instant.EPOCH.plusSeconds(interval), "RUNNING")
            .build());
  }

  @Test
  void aStatusIsWrittenWhenItHasChangedAndEveryFourthIntervalIfNot() throws Exception {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    try (StatusReporter _ = reporter(producer)) {
      intervals.await();
    }

    assertThat(written(producer, "p"))
        .startsWith(0L, 4L, 8L, 12L, 16L, 18L, 19L, 20L, 21L, 22L, 23L);
    assertThat(written(producer, "idle")).startsWith(0L, 4L, 8L, 12L, 16L, 20L, 24L);
  }

  /** Others would take the instance for dead, and nobody would know why. */
  @Test
  void aStatusThatKafkaRefusesIsATroubleOfTheInstance() {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    try (StatusReporter _ = reporter(producer)) {
      until(() ->
          producer.errorNext(new RecordTooLargeException("larger than the topic allows"))
              && supervisor.troubled().stream()
                  .anyMatch(one -> one.describe().contains("larger than the topic allows")));
      until(() -> producer.completeNext() && supervisor.troubled().isEmpty());
    }
  }

  private static List<Long> written(MockProducer<byte[], byte[]> producer, String program) {
    return producer.history().stream()
        .map(record -> Json.find(record.value(), InstanceStatus.class))
        .filter(status -> status != null && status.program().equals(program))
        .map(status -> status.at().getEpochSecond())
        .toList();
  }
}
