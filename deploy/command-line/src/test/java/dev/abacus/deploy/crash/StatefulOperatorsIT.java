package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.process.PlaneProcess;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A limit and an aggregate over several partitions of a real broker, with a kill -9 of the worker
 * in mid-run: the limit is exact, and every group comes out once with every document in it once.
 */
class StatefulOperatorsIT {

  private static final int DOCUMENTS = 600;
  private static final int PARTITIONS = 4;
  private static final int GROUPS = 10;
  private static final int LIMIT = 150;
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private static final String MAP =
      """
      sources: { messages: { topic: messages.in } }
      models: [gpt-4o-mini]
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
      """;
  private static final String FIRST =
      "program: first\nresults: { topic: first.out }\n" + MAP + "  - limit: " + LIMIT + "\n";
  private static final String GROUPED =
      """
      program: grouped
      results: { topic: grouped.out }
      """
          + MAP
          + """
            - aggregate: sums
              by: [who]
              window: { tumbling: 10m }
              compute: { n: count, total: sum(number) }
          """;

  @TempDir Path folder;

  private final ObjectMapper json = new ObjectMapper();
  private final List<String> first = new ArrayList<>();
  private final Map<String, JsonNode> groups = new HashMap<>();
  private final List<String> letters = new ArrayList<>();
  private int groupRecords;

  @Test
  void aLimitAndAnAggregateAreExactOverPartitionsAndACrash() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(
                SimulatorOptions.DEFAULTS.withLatency(Duration.ofMillis(100)))) {
      Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
      setUp(client);
      Map<String, String> properties = workerProperties(kafka, endpoint);
      Path log = folder.resolve("worker.log");
      PlaneProcess worker = PlaneProcess.worker(properties, log);
      try (KafkaConsumer<String, String> consumer = consumer(client)) {
        await(consumer, () -> first.size() > LIMIT / 3);
        worker.kill();
        worker = PlaneProcess.worker(properties, log);
        sendWatermarks(client);
        await(consumer, () -> first.size() >= LIMIT && counted() >= DOCUMENTS);
        // Whatever would still come out would be too much.
        consumer.poll(Duration.ofSeconds(2)).forEach(this::take);
      } finally {
        worker.close();
      }
    }
    assertThat(letters).isEmpty();
    assertThat(first).hasSize(LIMIT).doesNotHaveDuplicates();
    assertThat(groups).hasSize(2 * GROUPS);
    assertThat(groupRecords).isEqualTo(2 * GROUPS);
    assertThat(counted()).isEqualTo(DOCUMENTS);
    assertThat(groups.values().stream().mapToLong(group -> group.path("total").asLong()).sum())
        .isEqualTo((long) DOCUMENTS * (DOCUMENTS - 1) / 2);
  }

  private long counted() {
    return groups.values().stream().mapToLong(group -> group.path("n").asLong()).sum();
  }

  private void await(KafkaConsumer<String, String> consumer, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime())
          .as("%d first, %d grouped, dead letters %s", first.size(), counted(), letters)
          .isLessThan(deadline);
      consumer.poll(Duration.ofMillis(100)).forEach(this::take);
    }
  }

  private void take(ConsumerRecord<String, String> record) {
    try {
      switch (record.topic()) {
        case "first.out" -> first.add(record.key());
        case "grouped.out" -> {
          groupRecords++;
          groups.put(
              record.key() + header(record, Headers.WINDOW_START), json.readTree(record.value()));
        }
        default -> letters.add(record.topic() + record.headers());
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String header(ConsumerRecord<String, String> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private Map<String, String> workerProperties(LocalKafka kafka, SimulatedEndpoint endpoint) {
    return Map.of(
        "bootstrap.servers", kafka.bootstrapServers(),
        "state.dir", folder.resolve("state").toString(),
        "abacus.in.flight", "40",
        "abacus.model.endpoint", endpoint.baseUri().toString(),
        "auto.offset.reset", "earliest",
        "session.timeout.ms", "6000",
        "heartbeat.interval.ms", "1500");
  }

  private static void setUp(Map<String, Object> client) throws Exception {
    List<TopicSpec> topics = new ArrayList<>(TopicSpec.shared(KafkaNames.UNPREFIXED));
    topics.add(new TopicSpec("messages.in", PARTITIONS, Map.of()));
    List<Program> programs = new ArrayList<>();
    for (String text : List.of(FIRST, GROUPED)) {
      Program program = new ProgramParser(ModelCatalogue.builtIn()).parse(text);
      programs.add(program);
      topics.addAll(TopicSpec.of(KafkaNames.UNPREFIXED, program, PARTITIONS));
    }
    try (Admin admin = Admin.create(client)) {
      TopicSetup.ensure(admin, topics, (short) 1);
    }
    try (KafkaProducer<byte[], byte[]> producer = producer(client)) {
      programs.forEach(program -> apply(producer, program));
      long start = windowStart();
      for (int i = 0; i < DOCUMENTS; i++) {
        String value =
            "{\"number\":%d,\"who\":\"g%d\",\"text\":\"Message %d.\"}".formatted(i, i % GROUPS, i);
        var _ =
            producer.send(
                new ProducerRecord<>(
                    "messages.in", null, start + 2000L * i, bytes("key-" + i), bytes(value)));
      }
    }
  }

  /** The documents fill two windows of ten minutes, which have passed. */
  private static long windowStart() {
    long window = Duration.ofMinutes(10).toMillis();
    return System.currentTimeMillis() / window * window - 2 * window;
  }

  private static void sendWatermarks(Map<String, Object> client) {
    try (KafkaProducer<byte[], byte[]> producer = producer(client)) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        ProducerRecord<byte[], byte[]> watermark =
            new ProducerRecord<>("messages.in", partition, null, null);
        watermark
            .headers()
            .add(Headers.WATERMARK, bytes(Long.toString(System.currentTimeMillis())));
        var _ = producer.send(watermark);
      }
    }
  }

  private static void apply(KafkaProducer<byte[], byte[]> producer, Program program) {
    List<PlanStep> steps =
        program.operators().stream()
            .map(operator ->
                new PlanStep(
                    operator,
                    operator.isSemantic() ? new ModelSelection("gpt-4o-mini") : new Relational()))
            .toList();
    PlanChoice choice = new PlanChoice(steps, new Estimate(1, 0, 0));
    for (ControlRecord record :
        List.of(
            new ControlRecord.ProgramSet(program),
            new ControlRecord.PlanPublished(
                new PhysicalPlan(program.name(), 1, choice, program.objective(), List.of())),
            new ControlRecord.Activated(program.name(), 1, 1, "test", "test"))) {
      var _ =
          producer.send(
              new ProducerRecord<>(
                  KafkaNames.UNPREFIXED.control(),
                  bytes(record.key().path()),
                  ControlCodec.encode(record)));
    }
  }

  private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> client) {
    return new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static KafkaConsumer<String, String> consumer(Map<String, Object> client) {
    Map<String, Object> properties = new HashMap<>(client);
    properties.put("isolation.level", "read_committed");
    properties.put("auto.offset.reset", "earliest");
    KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic : List.of("first.out", "first.dlq", "grouped.out", "grouped.dlq")) {
      for (int partition = 0; partition < PARTITIONS; partition++) {
        partitions.add(new TopicPartition(topic, partition));
      }
    }
    consumer.assign(partitions);
    return consumer;
  }
}
