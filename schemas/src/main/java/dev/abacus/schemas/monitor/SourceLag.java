package dev.abacus.schemas.monitor;

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
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    partitions.forEach(partition -> specs.put(partition, which));
    return admin
        .listOffsets(specs, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
        .all()
        .toCompletionStage()
        .thenApply(SourceLag::offsets);
  }

  private static Map<TopicPartition, Long> offsets(
      Map<TopicPartition, ListOffsetsResultInfo> results) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    results.forEach((partition, result) -> offsets.put(partition, result.offset()));
    return offsets;
  }

  private record Bounds(Map<TopicPartition, Long> first, Map<TopicPartition, Long> end) {}
}
