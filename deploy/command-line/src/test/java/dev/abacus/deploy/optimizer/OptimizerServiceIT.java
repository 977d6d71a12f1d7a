package dev.abacus.deploy.optimizer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.optimizer.api.OptimizerService;
import dev.abacus.optimizer.sampling.SeededHash;
import dev.abacus.schemas.avro.AvroSerializer;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Order(1)
class OptimizerServiceIT {

  private static final String REGISTRY = "mock://optimizer-service-it";

  private static LocalKafka kafka;
  private FakeDataPlane plane;
  private String program;
  private static int programs;

  @BeforeAll
  static void startKafka() {
    kafka = LocalKafka.start();
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  @BeforeEach
  void connect() {
    plane = new FakeDataPlane(kafka.bootstrapServers());
    program = "triage-" + ++programs;
  }

  @AfterEach
  void disconnect() {
    plane.close();
  }

  private static OptimizerService start() throws InterruptedException {
    return start(kafka.bootstrapServers());
  }

  private static OptimizerService start(String servers) throws InterruptedException {
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", servers);
    properties.put("optimizer.sample.partitions", "2");
    properties.put("optimizer.status.interval.ms", "1000");
    properties.put("optimizer.stream.examples.after.ms", "3000");
    properties.put("schema.registry.url", REGISTRY);
    OptimizerService service = OptimizerService.start(new OptimizerConfig(properties));
    assertThat(service.awaitReady(Duration.ofMinutes(3))).isTrue();
    return service;
  }

  private void apply(int samples) throws Exception {
    apply(samples, "messages");
  }

  private void apply(int samples, String source) throws Exception {
    apply(samples, source, "\"off\"");
  }

  private void apply(int samples, String source, String learning) throws Exception {
    plane.produce(
        KafkaNames.UNPREFIXED.control(),
        "program/" + program,
        """
        {"program": "%s",
         "sources": {"messages": {"topic": "%s", "format": "json", "key": "id"}},
         "operators": [
           {"filter": "is-problem", "input": "messages", "condition": "Something went wrong.",
            "reads": ["text"]},
           {"map": "classify", "instruction": "Which intent?", "reads": ["text"],
            "writes": {"intent": {"type": "string"}}}],
         "results": {"topic": "triaged", "format": "json"},
         "objective": {"maximize": "quality", "subjectTo": {"cost": 0.01}},
         "budget": {"samples": %d},
         "validation": {"feedback": "%s.feedback"},
         "learning": %s,
         "models": ["gpt-4o", "gpt-4o-mini"]}
        """
            .formatted(program, source, samples, program, learning));
    plane.workUntil(
        "topics",
        () -> plane.values(KafkaNames.UNPREFIXED.status(), program + "/optimizer").size() > 0);
  }

  private void examples(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      plane.produce(
          program + ".validation",
          "e" + i,
          """
          {"source": "messages", "document": {"id": "%d", "text": "message %d"},
           "labels": {"is-problem": true}}
          """
              .formatted(i, i));
    }
  }

  private List<String> activations() {
    return plane.values(KafkaNames.UNPREFIXED.control(), "active/" + program);
  }

  private void workUntilFinished() throws Exception {
    plane.workUntil("search finished", () -> plane.isFinished(program));
  }

  /** No sample is issued twice, and the budget is kept. */
  private void assertBudgetOf40() {
    assertThat(plane.invocations(program)).isBetween(20L, 40L);
    assertThat(plane.sampleIds(program)).doesNotHaveDuplicates();
  }

  @Test
  void findsAPlanAndChangesItWithTheObjective() throws Exception {
    try (OptimizerService optimizer = start()) {
      apply(40);
      assertThat(plane.values(KafkaNames.UNPREFIXED.status(), program + "/optimizer").getLast())
          .contains("WAITING_FOR_EXAMPLES");
      examples(12);
      workUntilFinished();

      assertBudgetOf40();
      assertThat(activations().getFirst()).contains("\"optimizer\"");
      assertEveryPlanStandsBeforeItsActivation();

      int before = activations().size();
      int samples = plane.sampleIds(program).size();
      plane.produce(
          KafkaNames.UNPREFIXED.control(), "objective/" + program, "{\"minimize\": \"cost\"}");
      plane.workUntil("new objective", () -> activations().size() > before);
      assertThat(activations().getLast()).contains("objective changed to minimize cost");
      assertThat(plane.sampleIds(program)).hasSize(samples);

      plane.workUntil(
          "status",
          () ->
              plane
                  .values(KafkaNames.UNPREFIXED.status(), program + "/optimizer")
                  .getLast()
                  .contains("minimize cost"));
      assertThat(plane.values(KafkaNames.UNPREFIXED.status(), program + "/optimizer").getLast())
          .contains("FINISHED", "\"budgetSamples\":40", "\"chosen\":\"");
      assertThat(optimizer.failure()).isNotDone();
    }
  }

  private void assertEveryPlanStandsBeforeItsActivation() {
    List<String> keys =
        plane.seen.stream()
            .filter(record -> record.topic().equals(KafkaNames.UNPREFIXED.control()))
            .sorted(Comparator.comparingLong(ConsumerRecord::offset))
            .map(record -> FakeDataPlane.text(record.key()))
            .filter(key -> key.matches("(plan|active)/" + program + ".*"))
            .toList();
    assertThat(keys).isNotEmpty();
    for (int i = 0; i < keys.size(); i += 2) {
      assertThat(keys.get(i)).startsWith("plan/");
      assertThat(keys.get(i + 1)).startsWith("active/");
    }
  }

  @Test
  void aRestartInMidSearchPaysForNoSampleTwice() throws Exception {
    try (OptimizerService _ = start()) {
      apply(40);
      plane.answerOnly(17);
      examples(12);
      plane.workUntil(
          "17 answers",
          () -> plane.values(KafkaNames.UNPREFIXED.observations(program), "").size() == 17);
    }
    try (OptimizerService _ = start()) {
      plane.answerOnly(Integer.MAX_VALUE);
      workUntilFinished();
    }
    int activated = activations().size();
    int reports = plane.values(KafkaNames.UNPREFIXED.status(), program + "/optimizer").size();
    try (OptimizerService _ = start()) {
      plane.workUntil(
          "report of the third",
          () ->
              plane.values(KafkaNames.UNPREFIXED.status(), program + "/optimizer").size()
                  > reports + 1);
    }

    assertBudgetOf40();
    assertThat(activations()).hasSize(activated);
    assertThat(plane.isFinished(program)).isTrue();
  }

  @Test
  void aBrokerThatIsAwayIsWaitedFor(@TempDir Path data) throws Exception {
    LocalKafka first = LocalKafka.start(0, data);
    String servers = first.bootstrapServers();
    int port = Integer.parseInt(servers.substring(servers.lastIndexOf(':') + 1));
    OptimizerService optimizer = start(servers);
    first.close();
    try (LocalKafka _ = LocalKafka.start(port, data);
        FakeDataPlane later = new FakeDataPlane(servers);
        optimizer) {
      later.produce(
          KafkaNames.UNPREFIXED.control(),
          "program/plain",
          """
          {"program": "plain",
           "sources": {"messages": {"topic": "messages", "format": "json", "key": "id"}},
           "operators": [{"project": ["id"], "id": "slim", "input": "messages"}],
           "results": {"topic": "triaged", "format": "json"}}
          """);
      later.workUntil(
          "a plan", () -> !later.values(KafkaNames.UNPREFIXED.control(), "active/plain").isEmpty());
      assertThat(optimizer.failure()).isNotDone();
    }
  }

  @Test
  void badRecordsAreRefusedAndNothingStops() throws Exception {
    try (OptimizerService optimizer = start()) {
      plane.produce(KafkaNames.UNPREFIXED.control(), "nonsense/" + program, "{}");
      plane.produce(KafkaNames.UNPREFIXED.control(), "program/" + program, "{\"program\": 7}");
      apply(20);
      plane.produce(KafkaNames.UNPREFIXED.control(), "active/" + program, "{\"epoch\": 99}");
      plane.produce(program + ".validation", "bad", "not JSON");
      plane.produce(program + ".validation", "worse", "{\"document\": 3}");
      plane.produce(KafkaNames.UNPREFIXED.observations(program), "x", "{\"taskId\": 1}");
      plane.produce(KafkaNames.UNPREFIXED.samples(program), "y", "{}");
      examples(12);
      workUntilFinished();

      assertThat(plane.values(KafkaNames.UNPREFIXED.rejections(), "nonsense/" + program))
          .hasSize(1);
      assertThat(plane.values(KafkaNames.UNPREFIXED.rejections(), "program/" + program)).hasSize(1);
      assertThat(plane.values(KafkaNames.UNPREFIXED.rejections(), "active/" + program).getFirst())
          .contains("no plan of epoch 99");
      assertThat(plane.values(KafkaNames.UNPREFIXED.rejections(), program + ".validation/"))
          .hasSize(2);
      assertThat(optimizer.failure()).isNotDone();
    }
  }

  @Test
  void validationExamplesMayBeAvro() throws Exception {
    try (OptimizerService _ = start();
        AvroSerializer<GenericRecord> serializer = new AvroSerializer<>()) {
      apply(20);
      serializer.configure(Map.of("schema.registry.url", REGISTRY), false);
      var document = SchemaBuilder.record("Doc").fields().requiredString("text").endRecord();
      var schema =
          SchemaBuilder.record("Example")
              .fields()
              .requiredString("source")
              .name("document")
              .type(document)
              .noDefault()
              .endRecord();
      String topic = program + ".validation";
      for (int i = 0; i < 6; i++) {
        GenericRecord value =
            new GenericRecordBuilder(schema)
                .set("source", "messages")
                .set("document", new GenericRecordBuilder(document).set("text", "m" + i).build())
                .build();
        plane.produce(topic, "e" + i, Objects.requireNonNull(serializer.serialize(topic, value)));
      }
      workUntilFinished();
    }
  }

  @Test
  void aSecondOptimizerStandsByAndTakesOverWhenTheFirstEnds() throws Exception {
    OptimizerService first = start();
    try (OptimizerService second = start()) {
      apply(40);
      plane.answerOnly(17);
      examples(12);
      plane.workUntil(
          "17 answers",
          () -> plane.values(KafkaNames.UNPREFIXED.observations(program), "").size() == 17);
      assertThat(activations()).noneMatch(value -> value.contains("search finished"));

      first.close();
      plane.answerOnly(Integer.MAX_VALUE);
      workUntilFinished();

      assertThat(second.failure()).isNotDone();
      assertThat(first.failure()).isNotDone();
      assertBudgetOf40();
    } finally {
      first.close();
    }
  }

  @Test
  void aProgramWithoutExamplesIsSampledOnItsDocuments() throws Exception {
    String source = "messages-of-" + program;
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(source, 1, (short) 1))).all().get();
    }
    for (int i = 0; i < 12; i++) {
      plane.produce(source, "d" + i, "{\"id\": \"d%d\", \"text\": \"message %d\"}".formatted(i, i));
    }
    try (OptimizerService _ = start()) {
      apply(40, source);
      workUntilFinished();

      assertThat(plane.values(program + ".validation", "stream:" + source))
          .hasSize(12)
          .allMatch(value -> value.contains("\"document\""));
    }
  }

  @Test
  void aCorrectedResultLabelsItsDocument() throws Exception {
    String source = "messages-of-" + program;
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(source, 1, (short) 1))).all().get();
    }
    for (int i = 0; i < 3; i++) {
      plane.produce(source, "d" + i, "{\"id\": \"d%d\", \"text\": \"message\"}".formatted(i));
    }
    try (OptimizerService _ = start()) {
      apply(4, source);
      plane.produce(program + ".feedback", "d1", "{\"intent\": \"x\"}", source + "-0@1");
      plane.produce(program + ".feedback", "d9", "{\"intent\": \"x\"}", source + "-0@9");
      plane.workUntil("example", () -> !plane.values(program + ".validation", "stream:").isEmpty());
      plane.workUntil(
          "rejection",
          () ->
              plane.values(KafkaNames.UNPREFIXED.rejections(), program + ".feedback/d9").stream()
                  .anyMatch(value -> value.contains("is not on the source topic any more")));

      // The document is among those that are copied before or after, so only its label is chosen.
      String labelled =
          "{\"source\":\"messages\",\"document\":{\"id\":\"d1\",\"text\":\"message\"},"
              + "\"labels\":{\"classify\":{\"intent\":\"x\"},\"is-problem\":true},\"selected\":\"label\"}";
      plane.workUntil(
          "the label of a copy",
          () ->
              plane
                  .values(program + ".validation", "stream:" + source + "-0@1")
                  .contains(labelled));
      assertThat(plane.values(program + ".validation", "stream:" + source + "-0@1").getLast())
          .isEqualTo(labelled);
    }
  }

  @Test
  void aShareOfTheDocumentsRunsBesideThePlan() throws Exception {
    String source = "messages-of-" + program;
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(source, 2, (short) 1))).all().get();
    }
    try (OptimizerService _ = start()) {
      apply(40, source, "{\"shadow\": 0.1}");
      examples(12);
      workUntilFinished();
      int samples = plane.sampleIds(program).size();

      for (int i = 0; i < 300; i++) {
        plane.produce(source, "d" + i, "{\"id\": \"d%d\", \"text\": \"message\"}".formatted(i));
      }
      plane.workUntil("documents beside the plan", () -> isBeside() && plane.isFinished(program));
      assertThat(plane.sampleIds(program)).hasSizeGreaterThan(samples).doesNotHaveDuplicates();
    }

    Set<String> live = Set.copyOf(liveExamples());
    Set<String> drawn = drawn(source);
    assertThat(drawn).hasSizeBetween(15, 50).containsAll(live);
    assertThat(drawn.size() - live.size()).as("too few to come at once").isLessThan(12);
    assertThat(plane.keys(program + ".validation")).doesNotHaveDuplicates();
    assertThat(plane.keys("triaged")).as("results").isEmpty();
    JsonNode status =
        Json.read(
            plane
                .values(KafkaNames.UNPREFIXED.status(), program + "/optimizer")
                .getLast()
                .getBytes(StandardCharsets.UTF_8),
            JsonNode.class);
    assertThat(status.at("/beside/documents").asInt()).isBetween(1, live.size());
    assertThat(status.at("/beside/spentUsd").asDouble())
        .isPositive()
        .isLessThan(status.path("spentUsd").asDouble());
    int written = plane.keys(program + ".validation").size();
    try (OptimizerService _ = start()) {
      int reports = plane.values(KafkaNames.UNPREFIXED.status(), program + "/optimizer").size();
      plane.workUntil(
          "reports of the next optimizer, which looks once in ten seconds",
          () ->
              plane.values(KafkaNames.UNPREFIXED.status(), program + "/optimizer").size()
                  > reports + 8);
    }
    assertThat(plane.keys(program + ".validation")).as("a restart").hasSize(written);
  }

  private List<String> liveExamples() {
    return plane.keys(program + ".validation").stream()
        .filter(key -> key.startsWith("live:"))
        .toList();
  }

  /** Whether the search reports documents beside the plan, and is not to get more soon. */
  private boolean isBeside() {
    List<String> reports = plane.values(KafkaNames.UNPREFIXED.status(), program + "/optimizer");
    return liveExamples().size() >= 15 && reports.getLast().contains("\"beside\":{\"documents\"");
  }

  /** Ids of all documents of the topic that are drawn; the partitions are as the producer chose. */
  private Set<String> drawn(String source) {
    return plane.seen.stream()
        .filter(record -> record.topic().equals(source))
        .map(record -> "%s-%d@%d".formatted(source, record.partition(), record.offset()))
        .filter(position -> SeededHash.unit(0, program + "\n" + position) < 0.1)
        .map(position -> "live:" + position)
        .collect(Collectors.toSet());
  }
}
