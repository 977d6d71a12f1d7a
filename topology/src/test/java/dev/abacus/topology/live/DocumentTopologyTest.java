package dev.abacus.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.OperatorCounts;
import dev.abacus.schemas.control.SourceSize;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.control.ProgramPlans;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.runtime.FairScheduler;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.runtime.StreamsSettings;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentTopologyTest {

  private static final String PROGRAM =
      """
      program: triage
      sources: { messages: { topic: in, format: FORMAT } }
      operators:
        - map: classify
          instruction: What is wanted?
          reads: [text]
          writes: { intent: { type: string, enum: [refund, other] } }
        - filter: urgent
          condition: It is urgent.
          reads: [text]
        - project: [id, intent, tags]
      results: { topic: out, format: FORMAT }
      """;

  @TempDir Path state;

  private final ProgramPlans programPlans = new ProgramPlans();
  private final ProgramCounters counters = new ProgramCounters();
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private Runnable duringCall = () -> {};
  private boolean hold;
  private String decision = "true";
  private @Nullable ModelFailure failure;
  private @Nullable TopologyTestDriver driver;

  @AfterEach
  void close() {
    if (driver != null) {
      driver.close();
    }
  }

  @Test
  void aDocumentGivesAResultWithItsSourceAndItsPlan() throws Exception {
    start("json", null);
    activate(1);
    send("k", "{\"id\":\"d\",\"text\":\"hi\",\"tags\":[1]}");

    TestRecord<String, byte[]> result = results().readRecord();

    assertThat(result.key()).isEqualTo("k");
    assertThat(text(result.value())).isEqualTo("{\"id\":\"d\",\"intent\":\"refund\",\"tags\":[1]}");
    assertThat(header(result, Headers.PROGRAM)).isEqualTo("triage");
    assertThat(header(result, Headers.PLAN_EPOCH)).isEqualTo("1");
    assertThat(header(result, Headers.COST_USD)).isEqualTo("0.02");
    assertThat(header(result, Headers.TOKENS))
        .isEqualTo("input=20 cached=8 output=2 reasoning=0 estimated=0");
    assertThat(header(result, Headers.QUALITY_ESTIMATE)).isEqualTo("0.9");
    assertThat(header(result, Headers.SOURCE)).isEqualTo("in-0@0");
    assertThat(header(result, "traceparent")).isEqualTo("00-abc");
  }

  @Test
  void theLengthsOfProcessedDocumentsAreReported() throws Exception {
    start("json", null);
    activate(1);
    send("k", "{\"id\":\"d\",\"text\":\"hi\",\"tags\":[1]}");
    send("k", "{\"id\":\"e\",\"text\":\"hello\"}");
    send("k", "not a document");
    results().readRecordsToList();

    List<SourceSize> sizes = counters.status("p", "i", Instant.EPOCH, "", 1L).sizes();
    assertThat(sizes)
        .singleElement()
        .satisfies(size -> {
          assertThat(size.documents()).isEqualTo(2);
          assertThat(size.characters())
              .isEqualTo("d".length() + "hi".length() + 1 + "ehello".length());
        });
  }

  @Test
  void theWorkOfEachOperatorIsReported() throws Exception {
    start("json", null);
    activate(1);
    send("k", "{\"id\":\"d\",\"text\":\"hi\"}");
    decision = "false";
    send("k", "{\"id\":\"e\",\"text\":\"hello\"}");
    failure = new ModelFailure.Declined("no");
    duringCall = () -> assertThat(operators().getFirst().running()).isEqualTo(1);
    send("k", "{\"id\":\"f\",\"text\":\"hello\"}");

    assertThat(operators())
        .containsExactly(
            new OperatorCounts("classify", 3, 2, 1, 0.02, 1.1, 0),
            new OperatorCounts("project", 1, 1, 0, 0, 0, 0),
            new OperatorCounts("urgent", 2, 1, 0, 0.02, 1, 0));
    assertThat(counters.latencies()).containsOnlyKeys("classify", "urgent");
  }

  private List<OperatorCounts> operators() {
    return counters.status("p", "i", Instant.EPOCH, "", 1L).operators();
  }

  @Test
  void aFilteredDocumentGivesNothing() throws Exception {
    start("json", null);
    activate(1);
    decision = "false";
    send("k", "{\"id\":\"d\",\"text\":\"hi\"}");

    assertThat(results().isEmpty()).isTrue();
    assertThat(deadLetters().isEmpty()).isTrue();
    assertThat(counters.status("p", "i", Instant.EPOCH, "", 1L).filtered()).isEqualTo(1);
  }

  @Test
  void whatIsNoDocumentIsADeadLetterAsItCame() throws Exception {
    start("json", null);
    activate(1);
    send("k", "{\"id\":");

    TestRecord<String, byte[]> letter = deadLetters().readRecord();

    assertThat(text(letter.value())).isEqualTo("{\"id\":");
    assertThat(header(letter, Headers.EXCEPTION)).isEqualTo("InvalidDocument");
    assertThat(header(letter, Headers.EXCEPTION_MESSAGE)).contains("not valid JSON");
    assertThat(header(letter, Headers.EXCEPTION_TOPIC)).isEqualTo("in");
    assertThat(header(letter, Headers.EXCEPTION_OFFSET)).isEqualTo("0");
  }

  @Test
  void aModelFailureIsADeadLetterThatNamesTheOperator() throws Exception {
    start("json", null);
    activate(1);
    failure = new ModelFailure.AuthenticationFailed("no such key");
    send("k", "{\"id\":\"d\",\"text\":\"hi\"}");

    TestRecord<String, byte[]> letter = deadLetters().readRecord();

    assertThat(header(letter, Headers.OPERATOR)).isEqualTo("classify");
    assertThat(header(letter, Headers.ATTEMPTS)).isEqualTo("1");
    assertThat(header(letter, Headers.EXCEPTION_MESSAGE)).contains("no such key");
    assertThat(results().isEmpty()).isTrue();
  }

  @Test
  void anOversizedDocumentIsADeadLetter() throws Exception {
    start("json", null);
    activate(1);
    send("k", "{\"text\":\"" + "x".repeat(30_000) + "\"}");

    assertThat(header(deadLetters().readRecord(), Headers.EXCEPTION))
        .isEqualTo("OversizedDocument");
  }

  @Test
  void aDocumentLargerThanTheDeadLetterTopicAllowsIsShortened() throws Exception {
    start("json", null);
    activate(1);
    String document = "{\"text\":\"" + "x".repeat(2_000_000) + "\"}";
    send("k", document);

    TestRecord<String, byte[]> letter = deadLetters().readRecord();

    assertThat(letter.value().length).isLessThan(20_000);
    assertThat(letter.key()).isEqualTo("k");
    assertThat(header(letter, Headers.EXCEPTION)).isEqualTo("OversizedDocument");
    assertThat(header(letter, Headers.ORIGINAL_SIZE)).isEqualTo("" + document.length());
    assertThat(header(letter, Headers.ORIGINAL_SHA256)).hasSize(64);
    assertThat(header(letter, Headers.EXCEPTION_OFFSET)).isEqualTo("0");
  }

  @Test
  void aTombstoneGivesATombstone() throws Exception {
    start("json", null);
    activate(1);
    send("k", (String) null);

    assertThat(results().readRecord().value()).isNull();
  }

  @Test
  void aNewPlanAppliesToDocumentsThatWaitForTheirFirstCall() throws Exception {
    start("json", null);
    activate(1);
    hold = true;
    send("a", "{\"id\":\"a\",\"text\":\"hi\"}");
    activate(2);
    release();

    assertThat(header(results().readRecord(), Headers.PLAN_EPOCH)).isEqualTo("2");
  }

  @Test
  void aDocumentKeepsThePlanThatItsFirstCallStartedUnder() throws Exception {
    start("json", null);
    activate(1);
    hold = true;
    duringCall = () -> activate(2);
    send("a", "{\"id\":\"a\",\"text\":\"hi\"}");
    send("b", "{\"id\":\"b\",\"text\":\"hi\"}");
    release();

    assertThat(results().readRecordsToList())
        .extracting(record -> record.key() + header(record, Headers.PLAN_EPOCH))
        .containsExactly("a1", "b2");
  }

  @Test
  void avroComesInAndGoesOut() throws Exception {
    try (AvroValues avro =
        Objects.requireNonNull(
            AvroValues.connect(Map.of("schema.registry.url", "mock://document-topology")))) {
      start("avro", avro);
      activate(1);
      Schema schema =
          new Schema.Parser()
              .parse(
                  """
                  {"type":"record","name":"Message","fields":[{"name":"id","type":"string"},
                   {"name":"text","type":"string"},{"name":"tags","type":{"type":"array","items":"int"}}]}
                  """);
      JsonNode document =
          new ObjectMapper().readTree("{\"id\":\"d\",\"text\":\"hi\",\"tags\":[1,2]}");
      send("k", avro.toAvro("in", document, schema));

      JsonNode result = avro.toJson("out", results().readRecord().value());

      assertThat(result)
          .isEqualTo(
              new ObjectMapper().readTree("{\"id\":\"d\",\"intent\":\"refund\",\"tags\":[1,2]}"));
    }
  }

  @Test
  void avroOfAnUnknownSchemaIsADeadLetter() throws Exception {
    try (AvroValues avro =
        Objects.requireNonNull(
            AvroValues.connect(Map.of("schema.registry.url", "mock://unknown-schema")))) {
      start("avro", avro);
      activate(1);
      send("k", new byte[] {0, 0, 0, 0, 99, 1});

      assertThat(header(deadLetters().readRecord(), Headers.EXCEPTION_MESSAGE)).contains("99");
    }
  }

  private void start(String format, @Nullable AvroValues avro) throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn()).parse(PROGRAM.replace("FORMAT", format));
    programPlans.apply(new ControlRecord.ProgramSet(program));
    DocumentServices documents =
        new DocumentServices(
            programPlans,
            new PlanExecutor(new OperatorRuntime(Embedders.of())),
            model(),
            avro,
            counters,
            Clock.systemUTC());
    RuntimeSettings settings = RuntimeSettings.defaults().withRecordLimit(20_000);
    RuntimeServices services =
        RuntimeServices.of(1).withScheduler(new FairScheduler(10, this::execute));
    driver =
        new TopologyTestDriver(
            DocumentTopology.of(program, documents, settings, services, _ -> 1),
            new StreamsSettings(
                    "test", "none:1", state.toString(), 1, 0, settings.recordLimit(), Map.of())
                .toProperties());
  }

  private void execute(Runnable job) {
    if (hold) {
      waiting.add(job);
    } else {
      job.run();
    }
  }

  private void release() {
    hold = false;
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
    tick();
  }

  private ModelClient model() {
    return request -> {
      duringCall.run();
      duringCall = () -> {};
      return failure == null
          ? new ModelAnswer.Success(
              answer(request), TokenCounts.of(10, 4, 1), 0.01, 0.5, 1, List.of())
          : new ModelAnswer.Failed(failure, 0, 0.1, 1);
    };
  }

  private String answer(ModelRequest request) {
    boolean filter =
        Objects.requireNonNull(request.responseSchema()).name().equals("filter_decision");
    return filter ? "{\"satisfied\":" + decision + "}" : "{\"intent\":\"refund\"}";
  }

  private void activate(long epoch) {
    Program program = Objects.requireNonNull(programPlans.state().program());
    List<PlanStep> steps =
        program.operators().stream()
            .map(operator ->
                new PlanStep(
                    operator,
                    operator.isSemantic()
                        ? new ModelSelection("gpt-4o")
                        : new Relational()))
            .toList();
    PlanChoice choice = new PlanChoice(steps, new Estimate(0.9, 0.02, 1));
    programPlans.apply(
        new ControlRecord.PlanPublished(
            new PhysicalPlan("triage", epoch, choice, program.objective(), List.of())));
    programPlans.apply(new ControlRecord.Activated("triage", epoch, 1, "test", "test"));
  }

  private void send(String key, @Nullable String value) {
    send(key, value == null ? null : value.getBytes(StandardCharsets.UTF_8));
  }

  @SuppressWarnings(
      "NullAway") // a tombstone has no value, and Kafka's test record is not annotated
  private void send(String key, byte @Nullable [] value) {
    TestInputTopic<String, byte[]> input =
        running().createInputTopic("in", new StringSerializer(), new ByteArraySerializer());
    TestRecord<String, byte[]> record = new TestRecord<>(key, value, Instant.now());
    record.headers().add("traceparent", "00-abc".getBytes(StandardCharsets.UTF_8));
    input.pipeInput(record);
    tick();
  }

  private void tick() {
    running().advanceWallClockTime(Duration.ofMillis(20));
  }

  private TopologyTestDriver running() {
    return Objects.requireNonNull(driver);
  }

  private TestOutputTopic<String, byte[]> results() {
    return running()
        .createOutputTopic("out", new StringDeserializer(), new ByteArrayDeserializer());
  }

  private TestOutputTopic<String, byte[]> deadLetters() {
    return running()
        .createOutputTopic("triage.dlq", new StringDeserializer(), new ByteArrayDeserializer());
  }

  private static String text(byte[] value) {
    return new String(value, StandardCharsets.UTF_8);
  }

  private static @Nullable String header(TestRecord<String, byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : text(header.value());
  }
}
