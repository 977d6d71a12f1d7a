package dev.abacus.deploy.optimizer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.deploy.simulator.provider.Provider;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.optimizer.api.OptimizerService;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.StatusReports;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Searches against an endpoint that lacks models or refuses the key, as OpenAI does. Each test has
 * a program of its own on the same worker and optimizer.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class UnavailableModelsIT {

  private static final String KEY = "sk-test";
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private static Path folder;

  private static SimulatedEndpoint endpoint;
  private static LocalKafka kafka;
  private static Worker worker;
  private static OptimizerService optimizer;
  private static KafkaConnection connection;
  private static Producer<byte[], byte[]> producer;

  @BeforeAll
  static void start() throws Exception {
    endpoint =
        SimulatedEndpoint.start(
            SimulatorOptions.DEFAULTS
                .withLatency(Duration.ofMillis(20))
                .like(Provider.OPENAI)
                .withApiKey(KEY)
                .withModels(Set.of("gpt-4o", "gpt-4.1-nano")));
    kafka = LocalKafka.start();
    connection = KafkaConnection.to(kafka.bootstrapServers());
    producer = connection.producer(Map.of());
    worker =
        Worker.start(
            new WorkerConfig(
                Map.of(
                    "bootstrap.servers",
                    kafka.bootstrapServers(),
                    WorkerConfig.STATE_DIR,
                    folder.resolve("state").toString(),
                    WorkerConfig.STATUS_INTERVAL_MS,
                    200,
                    WorkerConfig.MODEL_ENDPOINT,
                    endpoint.baseUri().toString(),
                    WorkerConfig.MODEL_KEY,
                    KEY)));
    optimizer =
        OptimizerService.start(
            new OptimizerConfig(
                Map.of(
                    "bootstrap.servers",
                    kafka.bootstrapServers(),
                    OptimizerConfig.STREAM_EXAMPLES,
                    0)));
    assertThat(optimizer.awaitReady(PATIENCE)).isTrue();
  }

  @AfterAll
  static void stop() {
    optimizer.close();
    worker.close();
    producer.close();
    kafka.close();
    endpoint.close();
  }

  private static void apply(String name, String models, boolean labelled) throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                """
                program: %1$s
                sources: { messages: { topic: %1$s.in, format: json, key: id } }
                operators:
                  - map: classify
                    input: messages
                    instruction: What does the customer want?
                    reads: [text]
                    writes: { intent: { type: string, enum: [refund, praise, other] } }
                results: { topic: %1$s.out, format: json }
                budget: { samples: 40 }
                judge: o4-mini
                models: [%2$s]
                """
                    .formatted(name, models));
    TopicCreation creation = new TopicCreation(1, 1);
    var _ = creation.create(connection, program);
    control(new ControlRecord.ProgramSet(program));
    for (int i = 0; i < 12; i++) {
      String labels = labelled ? ", \"labels\": {\"classify\": {\"intent\": \"refund\"}}" : "";
      send(
          program.validation().topic(),
          "e" + i,
          "{\"document\": {\"id\": \"e%d\", \"text\": \"I want my money back, %d.\"}%s}"
              .formatted(i, i, labels));
    }
  }

  private static void control(ControlRecord record) throws Exception {
    producer
        .send(
            new ProducerRecord<>(
                KafkaNames.UNPREFIXED.control(),
                record.key().path().getBytes(StandardCharsets.UTF_8),
                ControlCodec.encode(record)))
        .get();
  }

  private static void send(String topic, String key, String value) throws Exception {
    producer
        .send(
            new ProducerRecord<>(
                topic,
                key.getBytes(StandardCharsets.UTF_8),
                value.getBytes(StandardCharsets.UTF_8)))
        .get();
  }

  /** The report of the search when it is in a phase and its message contains a text. */
  private static JsonNode awaitSearch(String program, String phase, String message)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    StatusReports status = new StatusReports();
    try (Consumer<byte[], byte[]> consumer = connection.consumer(Map.of())) {
      List<TopicPartition> partitions = partitions(consumer, KafkaNames.UNPREFIXED.status());
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (System.nanoTime() < deadline) {
        consumer.poll(Duration.ofMillis(200)).forEach(status::accept);
        JsonNode report = status.optimizer(program);
        if (report != null
            && report.path("phase").asText().equals(phase)
            && report.path("message").asText().contains(message)) {
          return report;
        }
      }
    }
    throw new AssertionError(
        "not within %s: %s with '%s', but %s"
            .formatted(PATIENCE, phase, message, status.optimizer(program)));
  }

  private static List<TopicPartition> partitions(Consumer<byte[], byte[]> consumer, String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }

  private static List<Observation> observations(String program) throws Exception {
    List<Observation> observations = new ArrayList<>();
    try (Consumer<byte[], byte[]> consumer = connection.consumer(Map.of())) {
      List<TopicPartition> partitions =
          partitions(consumer, KafkaNames.UNPREFIXED.observations(program));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream()
          .anyMatch(one -> consumer.position(one) < ends.getOrDefault(one, 0L))) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          observations.add(Json.read(record.value(), Observation.class));
        }
      }
    }
    return observations;
  }

  @Test
  @Order(1)
  void aMissingJudgeIsNamedWithItsRemedyBeforeAnythingIsSampled() throws Exception {
    apply("judged", "gpt-4o, gpt-4o-mini, gpt-4.1-nano", false);

    JsonNode waiting = awaitSearch("judged", "WAITING_FOR_MODELS", "judge 'o4-mini' is not served");
    assertThat(waiting.path("message").asText())
        .contains(endpoint.baseUri() + " lists 2 models without 'o4-mini'")
        .contains("name another one with 'judge:', or label the examples")
        .contains("model 'gpt-4o-mini' is not served", "remove it from 'models:'");
    assertThat(waiting.path("spentUsd").asDouble()).isZero();
    assertThat(observations("judged")).allMatch(one -> one.spent() == 0 && one.quality() == null);

    endpoint
        .state()
        .change(options -> options.withModels(Set.of("gpt-4o", "gpt-4.1-nano", "o4-mini")));

    JsonNode finished = awaitSearch("judged", "FINISHED", "model 'gpt-4o-mini' is not served");
    assertThat(finished.path("chosen").asText()).contains("classify=").doesNotContain("4o-mini");
    assertThat(observations("judged"))
        .filteredOn(one -> one.physical().contains("gpt-4o-mini"))
        .allMatch(one -> one.outcome() == Observation.Outcome.UNAVAILABLE);
  }

  @Test
  @Order(2)
  void aRefusedKeyScoresNothing() throws Exception {
    endpoint.state().change(options -> options.withApiKey("another"));
    apply("labelled", "gpt-4o, gpt-4.1-nano", true);

    JsonNode waiting = awaitSearch("labelled", "WAITING_FOR_MODELS", "has no valid key");
    assertThat(waiting.path("message").asText()).contains("restart the worker");
    assertThat(waiting.path("samplesIssued").asInt()).isZero();
    assertThat(observations("labelled"))
        .isNotEmpty()
        .allMatch(one -> one.outcome() == Observation.Outcome.UNAVAILABLE && one.quality() == null);
  }
}
