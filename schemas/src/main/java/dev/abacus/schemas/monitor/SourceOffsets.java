package dev.abacus.schemas.monitor;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * How far an application has consumed its sources.
 *
 * @param next offset that the application consumes next, by partition
 * @param end offset behind the last record that can be consumed, by partition
 */
public record SourceOffsets(Map<TopicPartition, Long> next, Map<TopicPartition, Long> end) {

  public SourceOffsets {
    next = Map.copyOf(next);
    end = Map.copyOf(end);
  }

  /**
   * Deleted documents are not consumed: a partition without a commit is read from its start.
   *
   * @param committed offsets of the group
   * @param first offsets of the logs, by partition
   * @param end offsets behind the last records, by partition
   */
  public static SourceOffsets between(
      Map<TopicPartition, OffsetAndMetadata> committed,
      Map<TopicPartition, Long> first,
      Map<TopicPartition, Long> end) {
    Map<TopicPartition, Long> next = new HashMap<>();
    end.forEach((partition, last) -> {
      OffsetAndMetadata done = committed.get(partition);
      long from = Math.max(first.getOrDefault(partition, 0L), done == null ? 0 : done.offset());
      next.put(partition, Math.min(from, last));
    });
    return new SourceOffsets(next, end);
  }

  /** Distance to the end of all partitions, with the markers of transactions. */
  public long lag() {
    return end.keySet().stream().mapToLong(this::lag).sum();
  }

  /** Distance to the end of one partition. */
  public long lag(TopicPartition partition) {
    return end.getOrDefault(partition, 0L) - next.getOrDefault(partition, 0L);
  }

  /** Sum of the ends; it grows by the number of records that are appended. */
  public long produced() {
    return end.values().stream().mapToLong(Long::longValue).sum();
  }
}
