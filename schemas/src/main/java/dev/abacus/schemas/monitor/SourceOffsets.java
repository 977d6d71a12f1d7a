package dev.abacus.schemas.monitor;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * How far an application has consumed its sources.
 *
 * @param committed offsets of its group; without partitions of which it has committed none
 * @param first offset of the log, by partition
 * @param end offset behind the last record that can be consumed, by partition
 */
public record SourceOffsets(
    Map<TopicPartition, Long> committed,
    Map<TopicPartition, Long> first,
    Map<TopicPartition, Long> end) {

  public SourceOffsets {
    committed = Map.copyOf(committed);
    first = Map.copyOf(first);
    end = Map.copyOf(end);
  }

  /** The offsets of a group, which has null for partitions of which it has committed none. */
  public static SourceOffsets of(
      Map<TopicPartition, OffsetAndMetadata> group,
      Map<TopicPartition, Long> first,
      Map<TopicPartition, Long> end) {
    Map<TopicPartition, Long> committed = new HashMap<>();
    group.forEach((partition, offset) -> {
      if (offset != null) {
        committed.put(partition, offset.offset());
      }
    });
    return new SourceOffsets(committed, first, end);
  }

  /**
   * The offset of a partition that the application consumes next. Deleted documents are not
   * consumed: a partition without a commit is read from its start.
   */
  public long next(TopicPartition partition) {
    long from = Math.max(first.getOrDefault(partition, 0L), committed.getOrDefault(partition, 0L));
    return Math.min(from, end.getOrDefault(partition, 0L));
  }

  /** Distance to the end of all partitions, with the markers of transactions. */
  public long lag() {
    return end.keySet().stream().mapToLong(this::lag).sum();
  }

  /** Distance to the end of one partition. */
  public long lag(TopicPartition partition) {
    return end.getOrDefault(partition, 0L) - next(partition);
  }

  /** Sum of the ends; it grows by the number of records that are appended. */
  public long produced() {
    return end.values().stream().mapToLong(Long::longValue).sum();
  }
}
