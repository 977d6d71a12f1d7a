package dev.abacus.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.schemas.avro.AvroDeserializer;
import dev.abacus.schemas.avro.AvroSerializer;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalKafkaIT {

  private static final String REGISTRY = "mock://local-kafka-it";

  private static final Schema GREETING =
      SchemaBuilder.record("example.Greeting").fields().requiredString("text").endRecord();

  private static void createTopic(LocalKafka kafka, String topic) throws InterruptedException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      TopicSetup.ensure(admin, List.of(new TopicSpec(topic, 1, Map.of())), (short) 1);
    }
  }

  private static void produceInATransaction(LocalKafka kafka, String... texts) {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "transactional.id",
            "greeter",
            "key.serializer",
            StringSerializer.class,
            "value.serializer",
            AvroSerializer.class,
            "schema.registry.url",
            REGISTRY);
    try (KafkaProducer<String, GenericRecord> producer = new KafkaProducer<>(config)) {
      producer.initTransactions();
      producer.beginTransaction();
      for (String text : texts) {
        GenericRecord value = new GenericRecordBuilder(GREETING).set("text", text).build();
        // A failed send fails the commit below.
        var _ = producer.send(new ProducerRecord<>("greetings", text, value));
      }
      producer.commitTransaction();
    }
  }

  private static List<String> consume(LocalKafka kafka, String protocol, int count) {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            kafka.bootstrapServers(),
            "group.id",
            "reader-" + protocol,
            "group.protocol",
            protocol,
            "auto.offset.reset",
            "earliest",
            "isolation.level",
            "read_committed",
            "key.deserializer",
            StringDeserializer.class,
            "value.deserializer",
            AvroDeserializer.class,
            "schema.registry.url",
            REGISTRY);
    List<String> texts = new ArrayList<>();
    long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    try (KafkaConsumer<String, GenericRecord> consumer = new KafkaConsumer<>(config)) {
      consumer.subscribe(List.of("greetings"));
      while (texts.size() < count && System.nanoTime() < deadline) {
        for (ConsumerRecord<String, GenericRecord> it : consumer.poll(Duration.ofMillis(200))) {
          texts.add((String) it.value().get("text"));
        }
      }
    }
    return texts;
  }

  /** As without a controller: a broker knows the cluster, and cannot do what is asked. */
  @Test
  void aChangeThatIsNotAnsweredNamesWhatMayBeAway() throws Exception {
    try (LocalKafka kafka = LocalKafka.start()) {
      KafkaConnection connection = KafkaConnection.to(kafka.bootstrapServers());
      assertThatThrownBy(() ->
              connection.administer(
                  "no topic was created",
                  _ -> {
                    throw new TimeoutException("Timed out waiting for a node assignment.");
                  }))
          .hasMessageContaining("a broker answers")
          .hasMessageContaining("a controller or another broker is away")
          .hasMessageNotContaining("node assignment");
    }
  }

  @Test
  void avroRecordsSurviveARestartOfTheBroker(@TempDir Path data) throws Exception {
    try (LocalKafka kafka = LocalKafka.start(0, data)) {
      createTopic(kafka, "greetings");
      produceInATransaction(kafka, "hello", "world");

      assertThat(consume(kafka, "consumer", 2)).containsExactly("hello", "world");
    }
    try (LocalKafka kafka = LocalKafka.start(0, data)) {
      produceInATransaction(kafka, "again");

      assertThat(consume(kafka, "classic", 3)).containsExactly("hello", "world", "again");
    }
  }
}
