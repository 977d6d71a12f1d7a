package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker that is cut off leaves a transaction with offsets and a result open. */
class AbandonedTransactionIT {

  private static final int DOCUMENTS = 5;
  private static final int TRANSACTION_TIMEOUT_MS = 600_000;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String PROGRAM =
      """
      program: cut
      sources: { messages: { topic: cut.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
      results: { topic: cut.out }
      models: [gpt-4o-mini]
      """;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"classic", "streams"})
  void theNextOwnerDoesNotWaitForTheTransactionTimeout(String protocol) throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, 1, Map.of());
        KafkaConsumer<String, String> outputs = program.outputs();
        KafkaProducer<String, String> cutOff = abandoned(kafka)) {
      for (int i = 0; i < DOCUMENTS; i++) {
        program.send(0, null, "key-" + i, "{\"text\":\"Message %d.\"}".formatted(i));
      }
      Set<String> results = new HashSet<>();
      try (Worker _ = Worker.start(new WorkerConfig(properties(kafka, endpoint, protocol)))) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (results.size() < DOCUMENTS && System.nanoTime() < deadline) {
          outputs.poll(Duration.ofMillis(100)).forEach(result -> results.add(result.key()));
        }
      }
      assertThat(results).containsExactlyInAnyOrder("key-0", "key-1", "key-2", "key-3", "key-4");
      assertThatThrownBy(cutOff::commitTransaction).isInstanceOf(KafkaException.class);
    }
  }

  /** As a broker leaves one that forgets to end it (KAFKA-20734). */
  @Test
  void aWorkerSaysWhatItWaitsForBehindATransactionWithoutAnEnd() throws Exception {
    String changelog = "abacus-cut-pending-topic-changelog";
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint = SimulatedEndpoint.start(SimulatorOptions.DEFAULTS);
        RunningProgram program = RunningProgram.open(kafka, PROGRAM, 1, Map.of());
        KafkaConsumer<String, String> outputs = program.outputs()) {
      KafkaConnection connection = KafkaConnection.to(kafka.bootstrapServers());
      try (Admin admin = connection.admin()) {
        admin
            .createTopics(
                List.of(
                    new NewTopic(changelog, 1, (short) 1)
                        .configs(Map.of("cleanup.policy", "compact"))))
            .all()
            .get();
      }
      program.send(0, null, "key", "{\"text\":\"A message.\"}");
      try (KafkaProducer<String, String> endless = begun(kafka, "endless")) {
        endless.send(new ProducerRecord<>(changelog, 0, "never", "{}")).get();
        Map<String, String> properties = new HashMap<>(properties(kafka, endpoint, "classic"));
        properties.put("transaction.timeout.ms", "5000");
        try (Worker _ = Worker.start(new WorkerConfig(properties))) {
          String state = "";
          long deadline = System.nanoTime() + PATIENCE.multipliedBy(3).toNanos();
          while (!state.startsWith("WAITING") && System.nanoTime() < deadline) {
            assertThat(outputs.poll(Duration.ofMillis(200))).isEmpty();
            state =
                TopicReader.status(connection).instances("cut").stream()
                    .map(InstanceStatus::state)
                    .findFirst()
                    .orElse("");
          }
          assertThat(state)
              .startsWith(
                  "WAITING: " + changelog + "-0 is restored to offset 0 of 1, nothing since");

          endless.abortTransaction();
          assertThat(outputs.poll(PATIENCE)).hasSize(1);
        }
      }
    }
  }

  private static KafkaProducer<String, String> begun(LocalKafka kafka, String transactionalId) {
    KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "transactional.id",
                transactionalId,
                "transaction.timeout.ms",
                TRANSACTION_TIMEOUT_MS),
            new StringSerializer(),
            new StringSerializer());
    producer.initTransactions();
    producer.beginTransaction();
    return producer;
  }

  private static KafkaProducer<String, String> abandoned(LocalKafka kafka) {
    KafkaProducer<String, String> producer =
        begun(kafka, "abacus-cut-%s-1".formatted(UUID.randomUUID()));
    var _ = producer.send(new ProducerRecord<>("cut.out", 0, "never", "{}"));
    try (KafkaConsumer<String, String> former =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers(), "group.id", "abacus-cut"),
            new StringDeserializer(),
            new StringDeserializer())) {
      producer.sendOffsetsToTransaction(
          Map.of(new TopicPartition("cut.in", 0), new OffsetAndMetadata(2)),
          former.groupMetadata());
    }
    producer.flush();
    return producer;
  }

  private Map<String, String> properties(
      LocalKafka kafka, SimulatedEndpoint endpoint, String protocol) {
    return RunningProgram.workerSettings(
        kafka, endpoint, folder.resolve("state"), Map.of("group.protocol", protocol));
  }
}
