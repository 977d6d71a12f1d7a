package dev.abacus.deploy.job;

import dev.abacus.deploy.operate.KafkaConnection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** How many records of a source topic the data plane has not taken yet. */
final class SourceLag {

  /** Records between what the program's group committed and the topic's end; -1 if unknown. */
  static long of(KafkaConnection connection, String program, String topic) {
    try (Admin admin = connection.admin()) {
      return lag(admin, "abacus-" + program, topic);
    } catch (ExecutionException e) {
      return -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  private static long lag(Admin admin, String group, String topic)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, Long> committed = new HashMap<>();
    for (Map.Entry<TopicPartition, OffsetAndMetadata> entry :
        admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().entrySet()) {
      if (entry.getKey().topic().equals(topic) && entry.getValue() != null) {
        committed.put(entry.getKey(), entry.getValue().offset());
      }
    }
    if (committed.isEmpty()) {
      return -1;
    }
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (TopicDescription description :
        admin.describeTopics(List.of(topic)).allTopicNames().get().values()) {
      description
          .partitions()
          .forEach(
              info -> ends.put(new TopicPartition(topic, info.partition()), OffsetSpec.latest()));
    }
    long lag = 0;
    for (var end : admin.listOffsets(ends).all().get().entrySet()) {
      lag += Math.max(0, end.getValue().offset() - committed.getOrDefault(end.getKey(), 0L));
    }
    return lag;
  }
}
