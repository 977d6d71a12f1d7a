package dev.abacus.schemas.monitor;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads how far an application has consumed its source topics. Never blocks: each call returns the
 * result of the last finished query.
 */
public final class SourceLag {

  private static final Logger LOG = LoggerFactory.getLogger(SourceLag.class);

  private final Admin admin;
  private final String group;
  private final Set<String> topics;
  private volatile @Nullable SourceOffsets last;
  private volatile @Nullable CompletionStage<?> query;

  /**
   * Creates the query but does not run it.
   *
   * @param group consumer group of the application
   */
  public SourceLag(Admin admin, String group, Collection<String> topics) {
    this.admin = admin;
    this.group = group;
    this.topics = Set.copyOf(topics);
  }

  /** The last known lag, null before the first result. Starts a query unless one is running. */
  public @Nullable Long latest() {
    CompletionStage<?> running = query;
    if (running == null || running.toCompletableFuture().isDone()) {
      query = query();
    }
    SourceOffsets known = last;
    return known == null ? null : known.lag();
  }

  /** Queries the offsets. */
  public CompletionStage<SourceOffsets> query() {
    return admin
        .describeTopics(topics)
        .allTopicNames()
        .toCompletionStage()
        .thenCompose(descriptions -> offsetsOf(partitions(descriptions.values())))
        .whenComplete((offsets, failure) -> {
          if (failure == null) {
            last = offsets;
          } else {
            LOG.debug("Cannot query the lag of {}: {}", group, failure.toString());
          }
        });
  }

  /** Queries the records since a time. */
  public CompletionStage<Arrived> since(Instant time) {
    return admin
        .describeTopics(topics)
        .allTopicNames()
        .toCompletionStage()
        .thenCompose(descriptions -> {
          Set<TopicPartition> partitions = partitions(descriptions.values());
          return list(partitions, OffsetSpec.forTimestamp(time.toEpochMilli()))
              .thenCombine(offsets(partitions, OffsetSpec.latest()), SourceLag::arrived);
        });
  }

  private static Arrived arrived(
      Map<TopicPartition, ListOffsetsResultInfo> first, Map<TopicPartition, Long> end) {
    long records = 0;
    long earliest = Long.MAX_VALUE;
    for (Map.Entry<TopicPartition, ListOffsetsResultInfo> found : first.entrySet()) {
      // A partition without such a record has an unknown offset.
      if (found.getValue().offset() >= 0) {
        records += Math.max(0, end.getOrDefault(found.getKey(), 0L) - found.getValue().offset());
        earliest = Math.min(earliest, found.getValue().timestamp());
      }
    }
    return new Arrived(records, Instant.ofEpochMilli(earliest));
  }

  /**
   * Records since a time.
   *
   * @param records their number, with the markers of transactions
   * @param first timestamp of the first one; far in the future if there is none
   */
  public record Arrived(long records, Instant first) {}

  private static Set<TopicPartition> partitions(Collection<TopicDescription> topics) {
    Set<TopicPartition> partitions = new HashSet<>();
    for (TopicDescription topic : topics) {
      for (TopicPartitionInfo partition : topic.partitions()) {
        partitions.add(new TopicPartition(topic.name(), partition.partition()));
      }
    }
    return partitions;
  }

  /** Documents of open transactions cannot be consumed yet; they are no lag. */
  private CompletionStage<SourceOffsets> offsetsOf(Set<TopicPartition> partitions) {
    return admin
        .listConsumerGroupOffsets(group)
        .partitionsToOffsetAndMetadata()
        .toCompletionStage()
        .thenCombine(
            offsets(partitions, OffsetSpec.earliest())
                .thenCombine(offsets(partitions, OffsetSpec.latest()), Bounds::new),
            (committed, bounds) -> SourceOffsets.between(committed, bounds.first(), bounds.end()));
  }

  private CompletionStage<Map<TopicPartition, Long>> offsets(
      Set<TopicPartition> partitions, OffsetSpec which) {
    return list(partitions, which).thenApply(SourceLag::offsets);
  }

  private CompletionStage<Map<TopicPartition, ListOffsetsResultInfo>> list(
      Set<TopicPartition> partitions, OffsetSpec which) {
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    partitions.forEach(partition -> specs.put(partition, which));
    return admin
        .listOffsets(specs, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
        .all()
        .toCompletionStage();
  }

  private static Map<TopicPartition, Long> offsets(
      Map<TopicPartition, ListOffsetsResultInfo> results) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    results.forEach((partition, result) -> offsets.put(partition, result.offset()));
    return offsets;
  }

  private record Bounds(Map<TopicPartition, Long> first, Map<TopicPartition, Long> end) {}
}
