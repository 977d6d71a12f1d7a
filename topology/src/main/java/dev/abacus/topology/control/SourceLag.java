package dev.abacus.topology.control;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many documents of the sources wait to be admitted: between the offsets that the application
 * has committed and the ends of the topics. Asks without waiting: the answer to one question is
 * what the next is told.
 */
public final class SourceLag {

  private static final Logger LOG = LoggerFactory.getLogger(SourceLag.class);

  private final Admin admin;
  private final String group;
  private final Set<String> topics;
  private volatile @Nullable Long last;
  private volatile @Nullable KafkaFuture<?> asking;

  /**
   * Asks nothing yet.
   *
   * @param group the application's consumer group
   */
  public SourceLag(Admin admin, String group, Collection<String> topics) {
    this.admin = admin;
    this.group = group;
    this.topics = new HashSet<>(topics);
  }

  /** What was known last; null before the first answer. Asks anew. */
  public @Nullable Long latest() {
    KafkaFuture<?> before = asking;
    if (before == null || before.isDone()) {
      asking =
          admin
              .describeTopics(topics)
              .allTopicNames()
              .whenComplete((descriptions, failure) -> {
                if (failure == null) {
                  Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
                  descriptions.forEach((topic, description) ->
                      description
                          .partitions()
                          .forEach(partition ->
                              ends.put(
                                  new TopicPartition(topic, partition.partition()),
                                  OffsetSpec.latest())));
                  ask(ends);
                }
              });
    }
    return last;
  }

  private void ask(Map<TopicPartition, OffsetSpec> partitions) {
    var committed = admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata();
    var ends = admin.listOffsets(partitions).all();
    var _ =
        committed
            .toCompletionStage()
            .thenCombine(ends.toCompletionStage(), SourceLag::between)
            .whenComplete((lag, failure) -> {
              if (failure == null) {
                last = lag;
              } else {
                LOG.debug("The lag of {} is not known for now: {}", group, failure.toString());
              }
            });
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
