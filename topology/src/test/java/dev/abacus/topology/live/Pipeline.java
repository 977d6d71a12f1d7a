package dev.abacus.topology.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.OperatorFlow;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.monitor.SourceOffsets;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.control.ProgramPlans;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.References;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.runtime.FairScheduler;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.runtime.StreamsSettings;
import dev.abacus.topology.runtime.SurvivingStore;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Scorer;
import dev.abacus.topology.telemetry.ProgramCounters;
import dev.abacus.topology.telemetry.Tracing;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;

/**
 * A program in a test driver, with operators that a test defines. Time and work are in the test's
 * hand, and it survives restarts.
 */
final class Pipeline implements AutoCloseable {

  /** What an operator makes of a document: null for a failure. */
  interface Behaviour extends Function<Document, @Nullable List<Document>> {}

  private static final double COST = 0.01;

  /** Stands still, so that the load of the machine ends no slice of a stateful operator. */
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

  private final Path directory;
  private final int recordLimit;
  private final Program program;
  private final ProgramPlans programPlans = new ProgramPlans();
  private final Map<String, Behaviour> behaviours = new HashMap<>();
  private final Map<String, SurvivingStore> stores = new HashMap<>();
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  final ProgramCounters counters = new ProgramCounters();
  final List<String> ran = new ArrayList<>();
  boolean hold;
  private final Map<String, PhysicalOperator> techniques = new HashMap<>();
  private ModelClient model =
      _ ->
          new ModelAnswer.Failed(
              new ModelFailure.TimedOut("no model"), new ExecutionStats(0, 0, 1));
  private Embedders embedders = Embedders.of();
  private @Nullable LiveJudge judge;
  private SourceRange range = SourceRange.ALL;
  private TopologyTestDriver driver;

  Pipeline(Path directory, String yaml) {
    this(directory, yaml, 20_000);
  }

  Pipeline(Path directory, String yaml, int recordLimit) {
    this.directory = directory;
    this.recordLimit = recordLimit;
    try {
      program = new ProgramParser(ModelCatalogue.builtIn()).parse(yaml);
    } catch (InvalidTextException e) {
      throw new AssertionError(e);
    }
    programPlans.apply(new ControlRecord.ProgramSet(program));
    activate(1, program.operators());
    driver = open();
  }

  Pipeline operator(String id, Behaviour behaviour) {
    behaviours.put(id, behaviour);
    return this;
  }

  /** Lets an operator be carried out by the real executor of a technique. */
  Pipeline operator(String id, PhysicalOperator technique, ModelClient of, Embedder... with) {
    techniques.put(id, technique);
    model = of;
    embedders = Embedders.of(with);
    driver.close();
    driver = open();
    return this;
  }

  /** Has every output judged that the program wants judged, by this model. */
  Pipeline judged(ModelClient by) {
    Scorer scorer = new Scorer(new Judge(ModelCatalogue.builtIn()));
    judge = new LiveJudge(scorer, by, References.NONE, counters, Tracing.OFF);
    driver.close();
    driver = open();
    return this;
  }

  /** Makes a plan with the steps in this order the active one. */
  void activate(long epoch, List<LogicalOperator> order) {
    List<PlanStep> steps =
        order.stream()
            .map(operator ->
                new PlanStep(
                    operator,
                    operator.isSemantic() ? new ModelSelection("gpt-4o") : new Relational()))
            .toList();
    PlanChoice choice = new PlanChoice(steps, new Estimate(0.9, 0.02, 1));
    programPlans.apply(
        new ControlRecord.PlanPublished(
            new PhysicalPlan(program.name(), epoch, choice, program.objective(), List.of())));
    programPlans.apply(new ControlRecord.Activated(program.name(), epoch, 1, "test", "test"));
  }

  List<LogicalOperator> operators(String... ids) {
    return Arrays.stream(ids).map(id -> Objects.requireNonNull(program.operator(id))).toList();
  }

  private TopologyTestDriver open() {
    ModelClient none =
        _ ->
            new ModelAnswer.Failed(
                new ModelFailure.TimedOut("no model"), new ExecutionStats(0, 0, 1));
    OperatorRuntime real = new OperatorRuntime(embedders);
    OperatorExecutor runner =
        (operator, technique, document, client) ->
            operator.isSemantic() && !techniques.containsKey(operator.id())
                ? semantic(operator, document)
                : real.execute(
                    operator,
                    techniques.getOrDefault(operator.id(), technique),
                    document,
                    request -> model.call(request));
    DocumentServices services =
        new DocumentServices(
            programPlans,
            new PlanExecutor(runner),
            none,
            null,
            counters,
            CLOCK,
            judge,
            () -> true,
            Tracing.OFF,
            range,
            null,
            null);
    RuntimeSettings settings = RuntimeSettings.defaults().withRecordLimit(recordLimit);
    return new TopologyTestDriver(
        DocumentTopology.of(
            program,
            services,
            settings,
            RuntimeServices.of(1)
                .withScheduler(new FairScheduler(1000, this::execute))
                .withStores(name -> stores.computeIfAbsent(name, SurvivingStore::new)),
            Partitions.ONE),
        new StreamsSettings(
                "test", "none:1", directory.toString(), 1, 0, settings.recordLimit(), Map.of())
            .toProperties());
  }

  private OperatorOutcome semantic(LogicalOperator operator, Document document) {
    synchronized (ran) {
      ran.add(operator.id());
    }
    List<Document> made = Objects.requireNonNull(behaviours.get(operator.id())).apply(document);
    ExecutionStats stats = new ExecutionStats(COST, 0.5, 1);
    if (made == null) {
      return new OperatorOutcome.Failed(new OperatorFailure.UnusableDocument("broken"), stats);
    }
    return made.isEmpty()
        ? new OperatorOutcome.Dropped(stats)
        : new OperatorOutcome.Kept(made, stats, null);
  }

  private void execute(Runnable job) {
    if (hold) {
      waiting.add(job);
    } else {
      job.run();
    }
  }

  /** Finishes the work that is held, the last first. */
  void release() {
    hold = false;
    while (!waiting.isEmpty()) {
      waiting.removeLast().run();
    }
    tick();
  }

  /** Lets the program process the documents before an offset only, as a version that ends. */
  void endAt(String topic, long offset, List<Integer> ended) {
    range =
        new SourceRange() {
          @Override
          public Extent read() {
            return new Extent(Map.of(new TopicPartition(topic, 0), offset), false);
          }

          @Override
          public void ended(int partition) {
            ended.add(partition);
          }

          @Override
          public @Nullable SourceOffsets offsets() {
            return null;
          }
        };
    restart();
    pass(Duration.ofSeconds(1));
  }

  /** Work in progress is lost, what was committed is not. */
  void restart() {
    driver.close();
    waiting.clear();
    hold = false;
    driver = open();
    tick();
  }

  void send(String topic, String key, String json, long seconds, String... headers) {
    TestRecord<String, byte[]> record =
        new TestRecord<>(key, json.getBytes(UTF_8), Instant.ofEpochSecond(seconds));
    for (String header : headers) {
      record.headers().add(header, "x".getBytes(UTF_8));
    }
    pipe(topic, record);
  }

  void watermark(String topic, long seconds) {
    watermark(topic, Long.toString(seconds * 1000));
  }

  @SuppressWarnings("NullAway") // a watermark has no value; Kafka's test record is not annotated
  void watermark(String topic, String time) {
    TestRecord<String, byte[]> record = new TestRecord<>(null, null, Instant.ofEpochMilli(0));
    record.headers().add("abacus-watermark", time.getBytes(UTF_8));
    pipe(topic, record);
  }

  private void pipe(String topic, TestRecord<String, byte[]> record) {
    driver
        .createInputTopic(topic, new StringSerializer(), new ByteArraySerializer())
        .pipeInput(record);
    tick();
  }

  /** Lets punctuators come round until everything has gone all the way. */
  void tick() {
    for (int i = 0; i < 8; i++) {
      driver.advanceWallClockTime(Duration.ofMillis(20));
    }
  }

  void pass(Duration time) {
    driver.advanceWallClockTime(time);
    tick();
  }

  List<TestRecord<String, byte[]>> records() {
    return read("out");
  }

  /** The records that were sent to any topic since the last call, also to internal ones. */
  Map<String, List<TestRecord<byte[], byte[]>>> produced() {
    Map<String, List<TestRecord<byte[], byte[]>>> produced = new HashMap<>();
    for (String topic : driver.producedTopicNames()) {
      produced.put(
          topic,
          driver
              .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
              .readRecordsToList());
    }
    return produced;
  }

  /** Results since the last call, as {@code key value}. */
  List<String> results() {
    return records().stream().map(Pipeline::shown).toList();
  }

  List<TestRecord<String, byte[]>> letters() {
    return read(program.name() + ".dlq");
  }

  private List<TestRecord<String, byte[]>> read(String topic) {
    return driver
        .createOutputTopic(topic, new StringDeserializer(), new ByteArrayDeserializer())
        .readRecordsToList();
  }

  static String shown(TestRecord<String, byte[]> record) {
    return record.key() + " " + new String(record.value(), UTF_8);
  }

  static @Nullable String header(TestRecord<String, byte[]> record, String name) {
    var header = record.headers().lastHeader(name);
    return header == null ? null : new String(header.value(), UTF_8);
  }

  /** Inputs and outputs of operators that samples do not tell their outputs of. */
  List<OperatorFlow> flows() {
    return counters.status("p", "i", Instant.EPOCH, "", 1L).flows();
  }

  long filtered() {
    return counters.status("p", "i", Instant.EPOCH, "", 1L).filtered();
  }

  /** Groups that were filtered; null before the first. */
  @Nullable Long filteredGroups() {
    return counters.status("p", "i", Instant.EPOCH, "", 1L).filteredGroups();
  }

  double cost() {
    return counters.status("p", "i", Instant.EPOCH, "", 1L).costUsd();
  }

  /** Number of entries of some stores. */
  int size(String... names) {
    return Arrays.stream(names)
        .mapToInt(name -> Objects.requireNonNull(stores.get(name), name).snapshot().size())
        .sum();
  }

  @Override
  public void close() {
    driver.close();
    if (judge != null) {
      judge.close();
    }
  }
}
