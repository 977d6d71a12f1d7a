package dev.abacus.deploy.job;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.schemas.monitor.SourceLag;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
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
      return new SourceLag(admin, group, consumed).query().toCompletableFuture().get().lag();
    } catch (ExecutionException e) {
      return -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }
}
