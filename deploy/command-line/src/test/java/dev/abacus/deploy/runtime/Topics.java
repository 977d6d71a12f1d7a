package dev.abacus.deploy.runtime;

import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Topics "in", "out" and "receipts" of one broker, with four partitions each. */
final class Topics {
  static final int PARTITIONS = 4;

  private final String bootstrapServers;

  Topics(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
  }

  /** Creates them and waits for their leaders: a producer that comes earlier may hang. */
  void create() throws InterruptedException {
    List<TopicSpec> specs =
        Stream.of("in", "out", "receipts")
            .map(topic -> new TopicSpec(topic, PARTITIONS, Map.of()))
            .toList();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
      TopicSetup.ensure(admin, specs, (short) 1);
    }
  }

  /** Produces numbered documents; the number modulo {@code keys} is the key. */
  void produce(int documents, int keys, int padding) {
    Map<String, Object> config =
        Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 20, "enable.idempotence", true);
    String tail = " " + "x".repeat(padding);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      for (int i = 0; i < documents; i++) {
        // A failed send shows as a missing document in the test.
        var _ = producer.send(new ProducerRecord<>("in", "key-" + i % keys, i + tail));
      }
    }
  }

  /** A consumer of all that is committed in "out", from the beginning. */
  KafkaConsumer<String, String> results() {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "isolation.level",
            "read_committed",
            "auto.offset.reset",
            "earliest",
            "enable.auto.commit",
            false);
    KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer());
    List<TopicPartition> partitions =
        IntStream.range(0, PARTITIONS)
            .mapToObj(partition -> new TopicPartition("out", partition))
            .toList();
    consumer.assign(partitions);
    return consumer;
  }

  /** The number of a document that {@link #produce} wrote. */
  static int number(String value) {
    return Integer.parseInt(value.substring(0, value.indexOf(' ')));
  }
}
