package dev.abacus.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class TopicRangeTest {

  private static final TopicPartition PARTITION = new TopicPartition("t", 0);

  private final MockConsumer<String, String> consumer = new MockConsumer<>("none");
  private final List<Long> read = new ArrayList<>();

  private void records(long... offsets) {
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
    consumer.schedulePollTask(() -> {
      for (long offset : offsets) {
        consumer.addRecord(new ConsumerRecord<>("t", 0, offset, "", ""));
      }
    });
  }

  private void read(long from, long end) {
    new TopicRange(Map.of(PARTITION, from), Map.of(PARTITION, end))
        .read(consumer, Duration.ofMillis(1), record -> read.add(record.offset()));
  }

  @Test
  void recordsBehindTheEndAreNotPartOfIt() {
    records(2, 3, 5);

    read(2, 4);

    assertThat(read).containsExactly(2L, 3L);
  }

  @Test
  void aRangeThatStartsLaterHasFewerRecords() {
    TopicRange range = new TopicRange(Map.of(PARTITION, 2L), Map.of(PARTITION, 9L));

    assertThat(range.startingAt(Map.of(PARTITION, 7L)).from()).containsEntry(PARTITION, 7L);
    assertThat(range.startingAt(Map.of(PARTITION, 1L)).from()).containsEntry(PARTITION, 2L);
    assertThat(range.startingAt(Map.of(new TopicPartition("t", 1), 1L))).isEqualTo(range);
  }

  @Test
  void whatNeverArrivesEndsTheRead() {
    records(0);

    assertThatThrownBy(() -> read(0, 5))
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("4 records of [t-0] cannot be read");
    assertThat(read).containsExactly(0L);
  }

  @Test
  void anEmptyRangeNeedsNoPoll() {
    consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));

    read(3, 3);

    assertThat(read).isEmpty();
  }
}
