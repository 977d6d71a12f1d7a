package dev.abacus.deploy.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Reads a topic from its beginning to its present end. */
final class TopicReader {

  private static final Duration POLL = Duration.ofMillis(200);

  private TopicReader() {}

  /** Receives one record. */
  @FunctionalInterface
  interface Visitor {
    void visit(ConsumerRecord<byte[], byte[]> record);
  }

  /** Passes every committed record to the visitor, in offset order within a partition. */
  static void read(KafkaConnection connection, String topic, Visitor visitor) {
    try (Consumer<byte[], byte[]> consumer = connection.consumer(Map.of())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (!isAt(consumer, ends)) {
        consumer.poll(POLL).forEach(visitor::visit);
      }
    }
  }

  private static boolean isAt(Consumer<?, ?> consumer, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }
}
