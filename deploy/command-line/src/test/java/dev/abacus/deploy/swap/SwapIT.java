package dev.abacus.deploy.swap;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.local.LocalStack;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.program.io.ProgramWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** A plain Kafka producer changes the objective while documents flow. */
class SwapIT {

  private static final Path SAMPLE = Path.of("../examples/support-triage");
  private static final int BATCH = 150;
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** No filter, so that every document gives exactly one record. */
  private static final String PROGRAM =
      """
      program: swap
      sources: { messages: { topic: swap.in } }
      operators:
        - map: classify
          instruction: Decide what the customer wants.
          reads: [text]
          writes: { intent: { type: string, enum: [delivery_delay, damaged_item, product_question, other] } }
        - map: extract
          instruction: Copy out the order number.
          reads: [text]
          writes: { order_number: { type: string, nullable: true } }
      results: { topic: swap.out }
      objective: maximize quality
      budget: { samples: 60 }
      models: [gpt-4o, gpt-4.1-nano]
      """;

  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, List<Long>> epochsByDocument = new HashMap<>();
  private long activeEpoch;

  /** Epochs of plans for the new objective, and the first of them that became active. */
  private final Set<Long> cheap = new HashSet<>();

  private long cheapEpoch;

  @Test
  void everyDocumentIsProcessedOnceByOnePlanWhileTheObjectiveChanges() throws Exception {
    SimulatorOptions simulator =
        SimulatorOptions.DEFAULTS.withAnswers(SAMPLE.resolve("answers.jsonl")).withSpeed(20);
    LocalStack.Settings settings =
        LocalStack.Settings.defaults().withSimulator(simulator).withRegistry(false);
    Program program = new ProgramParser(ModelCatalogue.builtIn()).parse(PROGRAM);
    try (LocalStack stack = LocalStack.start(settings, _ -> {})) {
      stack.createTopics(program);
      Map<String, Object> client = Map.copyOf(stack.connection().properties());
      try (KafkaProducer<String, String> producer =
              new KafkaProducer<>(client, new StringSerializer(), new StringSerializer());
          KafkaConsumer<String, String> consumer = consumer(client)) {
        applyAndSearch(program, producer, consumer);

        sendDocuments(producer, 0);
        send(producer, "abacus.control", "objective/swap", "\"maximise speed\"");
        send(producer, "abacus.control", "objective/swap", "{\"minimize\": \"cost\"}");
        await(consumer, () -> cheapEpoch > 0);
        sendDocuments(producer, BATCH);
        await(consumer, () -> epochsByDocument.size() == 2 * BATCH);
        // Whatever still came would be a duplicate.
        consumer.poll(Duration.ofSeconds(2)).forEach(this::take);

        assertThat(epochsByDocument.values()).allSatisfy(epochs -> assertThat(epochs).hasSize(1));
        Map<Long, Integer> perEpoch = perEpoch();
        assertThat(perEpoch.keySet())
            .as("the search may find better plans meanwhile, but none before or after its time")
            .allSatisfy(epoch -> assertThat(epoch).isBetween(1L, activeEpoch))
            .anySatisfy(epoch -> assertThat(epoch).isLessThan(cheapEpoch));
        assertThat(
                perEpoch.entrySet().stream()
                    .filter(entry -> entry.getKey() >= cheapEpoch)
                    .mapToInt(Map.Entry::getValue)
                    .sum())
            .as("documents under a plan for the new objective")
            .isGreaterThanOrEqualTo(BATCH / 2);
        assertThat(rejections).singleElement().asString().contains("'speed'");
      }
    }
  }

  private final List<String> rejections = new ArrayList<>();

  private void applyAndSearch(
      Program program,
      KafkaProducer<String, String> producer,
      KafkaConsumer<String, String> consumer)
      throws Exception {
    for (String line : Files.readAllLines(SAMPLE.resolve("validation.jsonl"))) {
      JsonNode example = json.readTree(line);
      send(producer, "swap.validation", example.path("id").asText(), line);
    }
    send(producer, "abacus.control", "program/swap", ProgramWriter.write(program).toString());
    await(consumer, () -> activeEpoch > 0);
  }

  private void sendDocuments(KafkaProducer<String, String> producer, int from) throws Exception {
    List<String> lines = Files.readAllLines(SAMPLE.resolve("documents.jsonl"));
    for (int i = from; i < from + BATCH; i++) {
      send(producer, "swap.in", "document-" + i, lines.get(i % lines.size()));
    }
  }

  private static void send(
      KafkaProducer<String, String> producer, String topic, String key, String value)
      throws Exception {
    producer.send(new ProducerRecord<>(topic, key, value)).get();
  }

  private KafkaConsumer<String, String> consumer(Map<String, Object> client) {
    Map<String, Object> properties = new HashMap<>(client);
    properties.put("isolation.level", "read_committed");
    properties.put("auto.offset.reset", "earliest");
    KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic : List.of("swap.out", "swap.dlq", "abacus.control", "abacus.rejections")) {
      consumer
          .partitionsFor(topic)
          .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
    }
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    return consumer;
  }

  private void take(ConsumerRecord<String, String> record) {
    try {
      switch (record.topic()) {
        case "abacus.control" -> {
          if (record.key().startsWith("plan/swap/")) {
            JsonNode plan = json.readTree(record.value());
            if (plan.path("objective").has("minimize")) {
              cheap.add(plan.path("epoch").asLong());
            }
          }
          if (record.key().equals("active/swap")) {
            activeEpoch = json.readTree(record.value()).path("epoch").asLong();
            cheapEpoch = cheapEpoch == 0 && cheap.contains(activeEpoch) ? activeEpoch : cheapEpoch;
          }
        }
        case "abacus.rejections" -> rejections.add(record.value());
        case "swap.dlq" ->
            throw new AssertionError("dead letter " + record.key() + record.headers());
        default ->
            epochsByDocument
                .computeIfAbsent(record.key(), _ -> new ArrayList<>())
                .add(Long.valueOf(header(record)));
      }
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String header(ConsumerRecord<String, String> record) {
    return new String(
        record.headers().lastHeader("abacus-plan-epoch").value(), StandardCharsets.UTF_8);
  }

  private void await(
      KafkaConsumer<String, String> consumer, java.util.function.BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime())
          .as("still waiting; epoch %d, %d documents", activeEpoch, epochsByDocument.size())
          .isLessThan(deadline);
      consumer.poll(Duration.ofMillis(100)).forEach(this::take);
    }
  }

  private Map<Long, Integer> perEpoch() {
    Map<Long, Integer> perEpoch = new TreeMap<>();
    epochsByDocument.values().forEach(epochs -> perEpoch.merge(epochs.getFirst(), 1, Integer::sum));
    return perEpoch;
  }
}
