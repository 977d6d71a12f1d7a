package dev.abacus.schemas.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class SourceLagTest {

  private static final TopicPartition FIRST = new TopicPartition("documents", 0);
  private static final TopicPartition SECOND = new TopicPartition("documents", 1);

  private static long lag(
      Map<TopicPartition, OffsetAndMetadata> committed,
      Map<TopicPartition, Long> first,
      Map<TopicPartition, Long> end) {
    return SourceOffsets.of(committed, first, end).lag();
  }

  @Test
  void aPartitionWithoutACommitLagsFromTheStartOfItsLog() {
    Map<TopicPartition, Long> first = Map.of(FIRST, 900L, SECOND, 0L);
    Map<TopicPartition, Long> end = Map.of(FIRST, 1_000L, SECOND, 7L);
    assertThat(lag(Map.of(), first, end)).isEqualTo(107);
    assertThat(lag(Map.of(FIRST, new OffsetAndMetadata(990)), first, end)).isEqualTo(17);
  }

  @Test
  void deletedDocumentsAreNoLag() {
    Map<TopicPartition, OffsetAndMetadata> committed = Map.of(FIRST, new OffsetAndMetadata(10));
    assertThat(lag(committed, Map.of(FIRST, 900L), Map.of(FIRST, 1_000L))).isEqualTo(100);
  }

  @Test
  void aCommitBehindTheEndIsNoNegativeLag() {
    Map<TopicPartition, OffsetAndMetadata> committed = Map.of(FIRST, new OffsetAndMetadata(9));
    assertThat(lag(committed, Map.of(FIRST, 0L), Map.of(FIRST, 5L))).isZero();
  }
}
