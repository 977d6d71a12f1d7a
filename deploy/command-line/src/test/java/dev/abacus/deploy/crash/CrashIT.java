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
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * kill -9 of a worker in mid-run, twice: exactly once, in order per key, and hardly a call
 * repeated.
 */
class CrashIT {

  private static final int DOCUMENTS = 1_000;
  private static final int KEYS = 40;
  private static final int IN_FLIGHT = 60;
  private static final int KILLS = 2;
  private static final int ON_ITS_WAY = 10;
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(3);

  private static final String PROGRAM =
      """
      program: crash
      sources: { messages: { topic: crash.in } }
      operators:
        - map: topic
          instruction: What is the message about?
          reads: [text]
          writes: { topic: { type: string } }
        - map: tone
          instruction: What is its tone?
          reads: [text]
          writes: { tone: { type: string } }
      results: { topic: crash.out }
      models: [gpt-4o-mini]
      """;

  @TempDir Path folder;

  /** Document number → how often it came out; per key the numbers in the order of the results. */
  private final Map<Integer, Integer> counts = new HashMap<>();

  private final Map<String, List<Integer>> orders = new LinkedHashMap<>();

  @Test
  void everyDocumentComesOutOnceAndInOrderAndStepsArePaidForOnce() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        SimulatedEndpoint endpoint =
            SimulatedEndpoint.start(
                SimulatorOptions.DEFAULTS.withLatency(Duration.ofMillis(100)))) {
      Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
      setUp(client);

      runThroughKills(kafka, endpoint, client);

      assertThat(counts).hasSize(DOCUMENTS);
      assertThat(counts.values()).containsOnly(1);
      assertThat(orders.values()).allSatisfy(numbers -> assertThat(numbers).isSorted());
      // A call that was in flight at a kill is paid for again, and one whose receipt was on its
      // way.
      JsonNode statistics = statistics(endpoint);
      assertThat(statistics.path("repeatedRequests").asLong(-1))
          .as("repeated calls of %s", statistics)
          .isBetween(0L, (long) KILLS * (IN_FLIGHT + ON_ITS_WAY));
    }
  }

  private void runThroughKills(
      LocalKafka kafka, SimulatedEndpoint endpoint, Map<String, Object> client) throws Exception {
    Map<String, String> properties = workerProperties(kafka, endpoint);
    Path log = folder.resolve("worker.log");
    PlaneProcess worker = PlaneProcess.worker(properties, log);
    try (KafkaConsumer<byte[], byte[]> results = consumer(client)) {
      int kills = 0;
      long quietSince = System.nanoTime();
      while (counts.size() < DOCUMENTS) {
        int before = counts.size();
        results.poll(Duration.ofMillis(100)).forEach(this::count);
        if (counts.size() > before) {
          quietSince = System.nanoTime();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - quietSince))
            .as("silence after %d results; see %s", counts.size(), log)
            .isLessThan(LONGEST_SILENCE);
        if (kills < KILLS && counts.size() > (kills + 1) * DOCUMENTS / (KILLS + 2)) {
          worker.kill();
          kills++;
          worker = PlaneProcess.worker(properties, log);
        }
      }
      assertThat(kills).isEqualTo(KILLS);
      // Whatever would still come out would be a duplicate.
      results.poll(Duration.ofSeconds(2)).forEach(this::count);
    } finally {
      worker.close();
    }
  }

  private void count(ConsumerRecord<byte[], byte[]> record) {
    try {
      int number = new ObjectMapper().readTree(record.value()).path("number").asInt();
      counts.merge(number, 1, Integer::sum);
      orders
          .computeIfAbsent(new String(record.key(), StandardCharsets.UTF_8), _ -> new ArrayList<>())
          .add(number);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  private Map<String, String> workerProperties(LocalKafka kafka, SimulatedEndpoint endpoint) {
    return Map.of(
        "bootstrap.servers", kafka.bootstrapServers(),
        "state.dir", folder.resolve("state").toString(),
        "abacus.in.flight", String.valueOf(IN_FLIGHT),
        "abacus.model.endpoint", endpoint.baseUri().toString(),
        "auto.offset.reset", "earliest",
        // A killed member is waited for so long before its partitions move.
        "session.timeout.ms", "6000",
        "heartbeat.interval.ms", "1500");
  }

  private static void setUp(Map<String, Object> client) throws Exception {
    Program program = new ProgramParser(ModelCatalogue.builtIn()).parse(PROGRAM);
    List<TopicSpec> topics = new ArrayList<>(TopicSpec.shared(KafkaNames.UNPREFIXED));
    topics.add(new TopicSpec("crash.in", 2, Map.of()));
    topics.addAll(TopicSpec.of(KafkaNames.UNPREFIXED, program, 2));
    try (Admin admin = Admin.create(client)) {
      TopicSetup.ensure(admin, topics, (short) 1);
    }
    List<PlanStep> steps =
        program.operators().stream()
            .map(operator -> new PlanStep(operator, new ModelSelection("gpt-4o-mini")))
            .toList();
    PlanChoice choice = new PlanChoice(steps, new Estimate(1, 0, 0));
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (ControlRecord record :
          List.of(
              new ControlRecord.ProgramSet(program),
              new ControlRecord.PlanPublished(
                  new PhysicalPlan("crash", 1, choice, program.objective(), List.of())),
              new ControlRecord.Activated("crash", 1, 1, "test", "test"))) {
        send(
            producer,
            KafkaNames.UNPREFIXED.control(),
            record.key().path(),
            ControlCodec.encode(record));
      }
      for (int i : IntStream.range(0, DOCUMENTS).toArray()) {
        String value =
            "{\"number\":%d,\"text\":\"Message %d about nothing in particular.\"}".formatted(i, i);
        send(producer, "crash.in", "key-" + i % KEYS, value.getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer, String topic, String key, byte[] value)
      throws Exception {
    var _ = producer.send(new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value));
  }

  private static KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> client) {
    Map<String, Object> properties = new HashMap<>(client);
    properties.put("isolation.level", "read_committed");
    properties.put("auto.offset.reset", "earliest");
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    consumer.assign(
        List.of(new TopicPartition("crash.out", 0), new TopicPartition("crash.out", 1)));
    return consumer;
  }

  private static JsonNode statistics(SimulatedEndpoint endpoint) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(endpoint.baseUri().resolve("/simulator/stats")).build();
      return new ObjectMapper()
          .readTree(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }
  }
}
