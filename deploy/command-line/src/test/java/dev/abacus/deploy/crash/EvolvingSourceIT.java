package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.local.LocalRegistry;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.avro.AvroDeserializer;
import dev.abacus.schemas.avro.AvroSerializer;
import dev.abacus.topology.Worker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Producers change the schema of an Avro source while a program runs. */
class EvolvingSourceIT {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final String PROGRAM =
      """
      program: evolving
      sources: { payments: { topic: evolving.in, format: avro, key: id } }
      results: { topic: evolving.out, format: avro }
      models: [gpt-4o-mini]
      operators:
        - map: topic
          instruction: What is the payment for?
          reads: [text]
          writes: { topic: { type: string } }
        - project: [amount, currency, topic]
      """;

  private static final Schema NARROW = payment("int", "\"EUR\"", "");
  private static final Schema WIDE = payment("long", "\"EUR\"", "");
  private static final Schema NULLABLE = payment("[\"null\",\"long\"]", "\"EUR\",\"USD\"", "");
  private static final Schema LONGER =
      payment(
          "[\"null\",\"long\"]",
          "\"EUR\",\"USD\"",
          ", { \"name\": \"note\", \"type\": [\"null\", \"string\"], \"default\": null }");

  @TempDir Path folder;

  private int sent;

  private static Schema payment(String amount, String currencies, String more) {
    return new Schema.Parser()
        .parse(
            """
            { "type": "record", "name": "Payment", "fields": [
              { "name": "id", "type": "string" },
              { "name": "text", "type": "string" },
              { "name": "amount", "type": %s },
              { "name": "currency", "type":
                { "type": "enum", "name": "Currency", "symbols": [%s], "default": "EUR" } }
              %s ] }
            """
                .formatted(
                    amount.startsWith("[") ? amount : "\"" + amount + "\"", currencies, more));
  }

  @Test
  void documentsOfEachVersionHaveResults() throws Exception {
    try (LocalRegistry server = LocalRegistry.start(0, folder.resolve("registry"));
        LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, 1, Map.of());
        KafkaConsumer<String, byte[]> outputs = outputs(kafka);
        Worker _ = worker(kafka, server, endpoint)) {
      send(program, server, NARROW, 7, "EUR");
      assertThat(await(outputs, server, 1)).containsValue("{\"amount\": 7, \"currency\": \"EUR\"}");
      send(program, server, WIDE, 5_000_000_000L, "EUR");
      send(program, server, NULLABLE, null, "USD");
      send(program, server, LONGER, 8L, "USD");
      send(program, server, NARROW, 9, "EUR");
      assertThat(await(outputs, server, 4).values())
          .containsExactly(
              "{\"amount\": 5000000000, \"currency\": \"EUR\"}",
              "{\"amount\": null, \"currency\": \"USD\"}",
              "{\"amount\": 8, \"currency\": \"USD\"}",
              "{\"amount\": 9, \"currency\": \"EUR\"}");
    }
  }

  private void send(
      RunningProgram program, LocalRegistry registry, Schema schema, Object amount, String currency)
      throws Exception {
    String id = "p" + sent++;
    Schema enumeration = schema.getField("currency").schema();
    GenericRecord payment =
        new GenericRecordBuilder(schema)
            .set("id", id)
            .set("text", "rent " + id)
            .set("amount", amount)
            .set("currency", new GenericData.EnumSymbol(enumeration, currency))
            .build();
    try (AvroSerializer<GenericRecord> serializer = new AvroSerializer<>()) {
      serializer.configure(
          Map.of("schema.registry.url", registry.url(), "auto.register.schemas", true), false);
      program.sendRaw(Map.of(id, serializer.serialize("evolving.in", payment)));
    }
  }

  private static Map<String, String> await(
      KafkaConsumer<String, byte[]> outputs, LocalRegistry registry, int documents) {
    Map<String, String> found = new TreeMap<>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (found.size() < documents) {
      assertThat(System.nanoTime()).as("found %s", found).isLessThan(deadline);
      outputs
          .poll(Duration.ofMillis(100))
          .forEach(record -> found.put(record.key(), text(record, registry)));
    }
    return found;
  }

  private static String text(ConsumerRecord<String, byte[]> record, LocalRegistry registry) {
    if (record.topic().equals("evolving.dlq")) {
      return new String(
          record.headers().lastHeader("__streams.errors.message").value(), StandardCharsets.UTF_8);
    }
    try (AvroDeserializer<GenericRecord> deserializer = new AvroDeserializer<>()) {
      deserializer.configure(Map.of("schema.registry.url", registry.url()), false);
      GenericRecord result = deserializer.deserialize("evolving.out", record.value());
      return "{\"amount\": %s, \"currency\": \"%s\"}"
          .formatted(result.get("amount"), result.get("currency"));
    }
  }

  private static KafkaConsumer<String, byte[]> outputs(LocalKafka kafka) {
    KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", kafka.bootstrapServers(),
                "isolation.level", "read_committed",
                "auto.offset.reset", "earliest"),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(
        List.of(new TopicPartition("evolving.out", 0), new TopicPartition("evolving.dlq", 0)));
    return consumer;
  }

  private Worker worker(LocalKafka kafka, LocalRegistry registry, SimulatedEndpoint endpoint)
      throws InterruptedException {
    return RunningProgram.worker(
        kafka, endpoint, folder.resolve("state"), Map.of("schema.registry.url", registry.url()));
  }
}
