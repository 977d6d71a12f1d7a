package dev.abacus.topology.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class SourceLagTest {

  private static final TopicPartition FIRST = new TopicPartition("documents", 0);
  private static final TopicPartition SECOND = new TopicPartition("documents", 1);

  @Test
  void aPartitionWithoutACommitLagsFromTheStartOfItsLog() {
    SourceLag.Bounds bounds =
        new SourceLag.Bounds(Map.of(FIRST, 900L, SECOND, 0L), Map.of(FIRST, 1_000L, SECOND, 7L));
    assertThat(SourceLag.between(Map.of(), bounds)).isEqualTo(107);
    assertThat(SourceLag.between(Map.of(FIRST, new OffsetAndMetadata(990)), bounds)).isEqualTo(17);
  }

  @Test
  void deletedDocumentsAreNoLag() {
    SourceLag.Bounds bounds = new SourceLag.Bounds(Map.of(FIRST, 900L), Map.of(FIRST, 1_000L));
    assertThat(SourceLag.between(Map.of(FIRST, new OffsetAndMetadata(10)), bounds)).isEqualTo(100);
  }

  @Test
  void aCommitBehindTheEndIsNoNegativeLag() {
    SourceLag.Bounds bounds = new SourceLag.Bounds(Map.of(FIRST, 0L), Map.of(FIRST, 5L));
    assertThat(SourceLag.between(Map.of(FIRST, new OffsetAndMetadata(9)), bounds)).isZero();
  }
}
