package dev.abacus.deploy.job;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.schemas.monitor.SourceLag;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/** Computes the consumer lag of a program's data plane. */
final class ConsumerLag {

  private ConsumerLag() {}

  /**
   * Lag on the source topics, in records; -1 if unknown.
   *
   * @param group of the application
   * @param internal whether the internal topics of the application count too
   */
  static long of(
      KafkaConnection connection, String group, Collection<String> sources, boolean internal) {
    try (Admin admin = connection.admin()) {
      Set<String> consumed = new HashSet<>();
      for (TopicPartition partition :
          admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get().keySet()) {
        consumed.add(partition.topic());
      }
      if (sources.stream().noneMatch(consumed::contains)) {
        return -1;
      }
      consumed.removeIf(topic -> !internal || !topic.startsWith(group + "-"));
      consumed.addAll(sources);
      return new SourceLag(admin, group, consumed).query().lag();
    } catch (ExecutionException | KafkaException e) {
      return -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }
}
