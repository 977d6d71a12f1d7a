package dev.abacus.optimizer.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.governor.Workload;
import dev.abacus.schemas.monitor.SourceOffsets;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Source;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

class BacklogCounterTest {

  private static final TopicPartition PARTITION = new TopicPartition("in", 0);
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final List<Long> documents = new ArrayList<>();
  private int reads;

  /** The partition has documents at these offsets; markers are at the others. */
  private final BacklogCounter counter =
      new BacklogCounter(() -> {
        reads++;
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.schedulePollTask(() -> {
          long next = consumer.position(PARTITION);
          documents.stream()
              .filter(offset -> offset >= next)
              .forEach(offset ->
                  consumer.addRecord(
                      new ConsumerRecord<>("in", 0, offset, new byte[0], new byte[0])));
        });
        consumer.schedulePollTask(() -> consumer.seek(PARTITION, Long.MAX_VALUE));
        return consumer;
      });

  private static Workload workload(int instances, long pending, boolean paused) {
    return new Workload(
        List.of(new Source("in", "in", Format.JSON, "id")),
        false,
        paused,
        instances,
        pending,
        null,
        4.0);
  }

  private static SourceOffsets offsets(long next, long end) {
    return new SourceOffsets(Map.of(PARTITION, next), Map.of(), Map.of(PARTITION, end));
  }

  private long count(Workload workload, long next, long end) {
    return counter.count(workload, offsets(next, end), NOON).documents();
  }

  @Test
  void withoutAWorkerOnlyDocumentsCount() {
    assertThat(count(workload(0, 0, false), 10, 13)).as("markers").isZero();
    documents.addAll(List.of(9L, 13L, 15L));
    assertThat(count(workload(0, 0, false), 10, 17)).isEqualTo(2);
    assertThat(count(workload(0, 3, false), 10, 17)).as("with admitted ones").isEqualTo(5);
    assertThat(reads).as("the same offsets are read once").isEqualTo(2);
  }

  @Test
  void aWorkerPassesMarkersSoTheDistanceIsTheLag() {
    assertThat(count(workload(1, 3, false), 10, 17)).isEqualTo(10);
    assertThat(reads).isZero();
  }

  @Test
  void aLongDistanceIsNotRead() {
    assertThat(count(workload(0, 0, false), 0, 1_000_000)).isEqualTo(1_000_000);
    assertThat(reads).isZero();
  }

  @Test
  void ofASourceThatMayNotBeReadTheDistanceCounts() {
    BacklogCounter denied =
        new BacklogCounter(() -> {
          MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("none");
          consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
          consumer.setPollException(new TopicAuthorizationException(Set.of("in")));
          return consumer;
        });

    assertThat(denied.count(workload(0, 0, false), offsets(10, 17), NOON).documents()).isEqualTo(7);
  }

  @Test
  void aPausedProgramNeedsNoWorkers() {
    assertThat(count(workload(0, 3, true), 0, 100)).isZero();
    counter.count(workload(1, 0, true), offsets(0, 100), NOON.plusSeconds(5));
    assertThat(counter.count(workload(1, 0, true), offsets(0, 200), NOON.plusSeconds(10)))
        .extracting(Backlog::requiredInFlight)
        .isEqualTo(0.0);
  }

  @Test
  void requiredConcurrencyIsArrivalsTimesSeconds() {
    Backlog backlog = counter.count(workload(1, 0, false), offsets(0, 0), NOON);
    assertThat(backlog.requiredInFlight()).isNull();
    for (int second = 5; second <= 300; second += 5) {
      // 20 a second, and 30 in the last two minutes
      long produced = 20L * Math.min(second, 180) + 30L * Math.max(0, second - 180);
      backlog =
          counter.count(
              workload(1, 0, false), offsets(produced, produced), NOON.plusSeconds(second));
    }
    assertThat(backlog.arrivalsPerSecond()).isCloseTo(30, within(0.1));
    assertThat(backlog.requiredInFlight()).isCloseTo(120, within(0.5));
  }

  @Test
  void aTopicThatIsCreatedAnewStartsAnew() {
    counter.count(workload(1, 0, false), offsets(0, 1_000), NOON);
    assertThat(
            counter
                .count(workload(1, 0, false), offsets(0, 10), NOON.plusSeconds(10))
                .arrivalsPerSecond())
        .isNull();
  }

  @Test
  void aClockThatIsSetBackStartsAnew() {
    counter.count(workload(1, 0, false), offsets(0, 1_000), NOON.plusSeconds(3600));
    counter.count(workload(1, 0, false), offsets(0, 1_000), NOON);
    assertThat(
            counter
                .count(workload(1, 0, false), offsets(0, 1_050), NOON.plusSeconds(5))
                .arrivalsPerSecond())
        .isEqualTo(10);
  }
}
