package dev.abacus.topology.control;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Number of documents in the source topics that the application has not consumed: the distance
 * between its committed offsets and the ends of the partitions. Never blocks: each call returns the
 * result of the last finished query.
 */
public final class SourceLag {

  private static final Logger LOG = LoggerFactory.getLogger(SourceLag.class);

  private final Admin admin;
  private final String group;
  private final Set<String> topics;
  private volatile @Nullable Long last;
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
    return last;
  }

  private CompletionStage<?> query() {
    return admin
        .describeTopics(topics)
        .allTopicNames()
        .toCompletionStage()
        .thenCompose(descriptions -> lag(ends(descriptions.values())))
        .whenComplete((lag, failure) -> {
          if (failure == null) {
            last = lag;
          } else {
            LOG.debug("Cannot query the lag of {}: {}", group, failure.toString());
          }
        });
  }

  private static Map<TopicPartition, OffsetSpec> ends(Collection<TopicDescription> topics) {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (TopicDescription topic : topics) {
      for (TopicPartitionInfo partition : topic.partitions()) {
        ends.put(new TopicPartition(topic.name(), partition.partition()), OffsetSpec.latest());
      }
    }
    return ends;
  }

  private CompletionStage<Long> lag(Map<TopicPartition, OffsetSpec> ends) {
    return admin
        .listConsumerGroupOffsets(group)
        .partitionsToOffsetAndMetadata()
        .toCompletionStage()
        .thenCombine(admin.listOffsets(ends).all().toCompletionStage(), SourceLag::between);
  }

  private static long between(
      Map<TopicPartition, OffsetAndMetadata> committed,
      Map<TopicPartition, ListOffsetsResultInfo> ends) {
    long lag = 0;
    for (var end : ends.entrySet()) {
      OffsetAndMetadata done = committed.get(end.getKey());
      lag += Math.max(0, end.getValue().offset() - (done == null ? 0 : done.offset()));
    }
    return lag;
  }
}
