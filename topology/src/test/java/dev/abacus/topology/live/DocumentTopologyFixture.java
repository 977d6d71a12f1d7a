package dev.abacus.topology.live;

import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.LearnedAnswers;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.control.ProgramPlans;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.model.CallPurpose;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ExecutionStats;
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
import dev.abacus.topology.telemetry.Tracing;
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
import org.junit.jupiter.api.io.TempDir;

/** The topology of a program with a map and a filter, and a scripted model. */
abstract class DocumentTopologyFixture {

  static final String PROGRAM =
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

  final ProgramPlans programPlans = new ProgramPlans();
  final ProgramCounters counters = new ProgramCounters();
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  Runnable duringCall = () -> {};
  boolean hold;
  String decision = "true";
  @Nullable ModelFailure failure;

  /** Appended to the program. */
  String furtherSettings = "";

  @Nullable LiveLearning learning;

  /** Classifiers of the next plan. */
  Map<String, LearnedAnswers> learned = Map.of();

  int calls;

  /** Calls for documents that a classifier would have answered. */
  int audits;

  private @Nullable TopologyTestDriver driver;

  @AfterEach
  void close() {
    if (driver != null) {
      driver.close();
    }
  }

  void start(String format, @Nullable AvroValues avro) throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(PROGRAM.replace("FORMAT", format) + furtherSettings);
    programPlans.apply(new ControlRecord.ProgramSet(program));
    DocumentServices documents =
        new DocumentServices(
            programPlans,
            new PlanExecutor(new OperatorRuntime(Embedders.of())),
            model(),
            avro,
            counters,
            Clock.systemUTC(),
            null,
            () -> true,
            Tracing.OFF,
            SourceRange.ALL,
            null,
            learning);
    RuntimeSettings settings = RuntimeSettings.defaults().withRecordLimit(20_000);
    RuntimeServices services =
        RuntimeServices.of(1).withScheduler(new FairScheduler(10, this::execute));
    driver =
        new TopologyTestDriver(
            DocumentTopology.of(program, documents, settings, services, Partitions.ONE),
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

  void release() {
    hold = false;
    while (!waiting.isEmpty()) {
      waiting.remove().run();
    }
    tick();
  }

  private ModelClient model() {
    return request -> {
      calls++;
      audits += CallPurpose.current().kind() == CallPurpose.Kind.AUDIT ? 1 : 0;
      duringCall.run();
      duringCall = () -> {};
      return failure == null
          ? new ModelAnswer.Success(
              answer(request),
              new ExecutionStats(0.01, 0.5, 1, TokenCounts.of(10, 4, 1)),
              List.of())
          : new ModelAnswer.Failed(failure, new ExecutionStats(0, 0.1, 1));
    };
  }

  private String answer(ModelRequest request) {
    boolean filter =
        Objects.requireNonNull(request.responseSchema()).name().equals("filter_decision");
    return filter ? "{\"satisfied\":" + decision + "}" : "{\"intent\":\"refund\"}";
  }

  void activate(long epoch) {
    Program program = Objects.requireNonNull(programPlans.state().program());
    List<PlanStep> steps =
        program.operators().stream()
            .map(operator ->
                new PlanStep(
                    operator,
                    operator.isSemantic() ? new ModelSelection("gpt-4o") : new Relational()))
            .toList();
    PlanChoice choice = new PlanChoice(steps, new Estimate(0.9, 0.02, 1));
    programPlans.apply(
        new ControlRecord.PlanPublished(
            new PhysicalPlan("triage", epoch, choice, program.objective(), List.of())
                .withLearned(epoch, learned, List.of())));
    programPlans.apply(new ControlRecord.Activated("triage", epoch, 1, "test", "test"));
  }

  void send(String key, @Nullable String value) {
    send(key, value == null ? null : value.getBytes(StandardCharsets.UTF_8));
  }

  @SuppressWarnings(
      "NullAway") // a tombstone has no value, and Kafka's test record is not annotated
  void send(String key, byte @Nullable [] value) {
    TestInputTopic<String, byte[]> input =
        running().createInputTopic("in", new StringSerializer(), new ByteArraySerializer());
    TestRecord<String, byte[]> record = new TestRecord<>(key, value, Instant.now());
    record.headers().add("traceparent", "00-abc".getBytes(StandardCharsets.UTF_8));
    // As if the document were a result of another program.
    record.headers().add(Headers.PLAN_EPOCH, "7".getBytes(StandardCharsets.UTF_8));
    input.pipeInput(record);
    tick();
  }

  private void tick() {
    running().advanceWallClockTime(Duration.ofMillis(20));
  }

  private TopologyTestDriver running() {
    return Objects.requireNonNull(driver);
  }

  TestOutputTopic<String, byte[]> results() {
    return running()
        .createOutputTopic("out", new StringDeserializer(), new ByteArrayDeserializer());
  }

  TestOutputTopic<String, byte[]> liveAnswers() {
    return running()
        .createOutputTopic(
            "triage.learning", new StringDeserializer(), new ByteArrayDeserializer());
  }

  TestOutputTopic<String, byte[]> deadLetters() {
    return running()
        .createOutputTopic("triage.dlq", new StringDeserializer(), new ByteArrayDeserializer());
  }

  static String text(byte[] value) {
    return new String(value, StandardCharsets.UTF_8);
  }

  static @Nullable String header(TestRecord<String, byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? null : text(header.value());
  }
}
