package dev.abacus.deploy.job;

import dev.abacus.deploy.cluster.KafkaConnection;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Computes the consumer lag of a program's data plane. */
final class ConsumerLag {

  private ConsumerLag() {}

  /** Lag on the source topics, in records; -1 if unknown. */
  static long ofSources(
      KafkaConnection connection, String application, Collection<String> sources) {
    return of(connection, application, sources, false);
  }

  /** Lag on the source and internal topics, in records; -1 if unknown. */
  static long ofAll(KafkaConnection connection, String application, Collection<String> sources) {
    return of(connection, application, sources, true);
  }

  private static long of(
      KafkaConnection connection,
      String application,
      Collection<String> sources,
      boolean internal) {
    try (Admin admin = connection.admin()) {
      return lag(admin, application, sources, internal);
    } catch (ExecutionException e) {
      return -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  private static long lag(Admin admin, String group, Collection<String> sources, boolean internal)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> committed = new HashMap<>();
    for (Map.Entry<TopicPartition, OffsetAndMetadata> entry :
        admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().entrySet()) {
      if (entry.getValue() != null) {
        committed.put(entry.getKey(), entry.getValue().offset());
      }
    }
    Stream<String> between =
        committed.keySet().stream()
            .map(TopicPartition::topic)
            .filter(topic -> internal && topic.startsWith(group + "-"));
    Collection<String> topics = Stream.concat(sources.stream(), between).distinct().toList();
    if (committed.keySet().stream().noneMatch(partition -> sources.contains(partition.topic()))) {
      return -1;
    }
    long lag = 0;
    for (var end : admin.listOffsets(ends(admin, topics)).all().get().entrySet()) {
      lag += Math.max(0, end.getValue().offset() - committed.getOrDefault(end.getKey(), 0L));
    }
    return lag;
  }

  private static Map<TopicPartition, OffsetSpec> ends(Admin admin, Collection<String> topics)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (TopicDescription description :
        admin.describeTopics(topics).allTopicNames().get().values()) {
      description
          .partitions()
          .forEach(info ->
              ends.put(
                  new TopicPartition(description.name(), info.partition()), OffsetSpec.latest()));
    }
    return ends;
  }
}
