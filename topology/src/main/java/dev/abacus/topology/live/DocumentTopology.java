package dev.abacus.topology.live;

import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.Stage;
import dev.abacus.schemas.program.Stages;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.runtime.AsyncProcessorSupplier;
import dev.abacus.topology.runtime.FreshProcessor;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.runtime.SinkProcessor;
import dev.abacus.topology.stateful.StatefulOperators;
import dev.abacus.topology.stateful.time.StatefulServices;
import dev.abacus.topology.stateful.time.WatermarkGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Kafka Streams topology of the documents of a program. It depends on the program only; the
 * plan decides which operators run in a segment, in which order and how:
 *
 * <pre>
 *   source topic ──► segment ──► stateful operator ──► segment ──► results
 *                       └───────────┴───────────┴──────► dead letters
 * </pre>
 *
 * <p>A program without stateful operators is one segment. In other programs watermarks flow with
 * the documents, see {@link WatermarkGenerator}.
 */
public final class DocumentTopology {

  /** The sink of results. */
  public static final String RESULTS = "results";

  /** The sink of dead letters of a program with a single segment. */
  public static final String DEAD_LETTERS = "dead-letters";

  /** The sink of answers to live documents of a program with a single segment. */
  public static final String LEARNING = "learning";

  private static final int ADDED_HEADERS = 1024;
  private static final String PENDING = "pending-";

  private static final Logger LOG = LoggerFactory.getLogger(DocumentTopology.class);

  private static final Serde<byte[]> BYTES = Serdes.ByteArray();

  private final Program program;
  private final List<Stage> stages;
  private final boolean timed;
  private final DocumentServices services;
  private final RuntimeSettings settings;
  private final RuntimeServices runtime;
  private final Partitions partitions;
  private final StreamsBuilder builder = new StreamsBuilder();

  /** The output of each stage by its id, and of each source by its name. */
  private final Map<String, StatefulOperators.Input> outputs = new HashMap<>();

  private DocumentTopology(
      Program program,
      DocumentServices services,
      RuntimeSettings settings,
      RuntimeServices runtime,
      Partitions partitions) {
    this.program = program;
    this.stages = Stages.of(program);
    this.timed = stages.stream().anyMatch(Stage.Stateful.class::isInstance);
    this.services = services;
    this.settings = settings;
    this.runtime = runtime.withProgram(program.name());
    this.partitions = partitions;
  }

  /**
   * The topology of a program.
   *
   * @param runtime shared by the processors; each gets a listener of its own
   */
  public static Topology of(
      Program program,
      DocumentServices services,
      RuntimeSettings settings,
      RuntimeServices runtime,
      Partitions partitions) {
    return new DocumentTopology(program, services, settings, runtime, partitions).build();
  }

  /**
   * Number of tasks of the last stage, each of which reports its end to the {@link SourceRange}.
   */
  public static int lastTasks(Program program, Partitions partitions) {
    Map<String, Stage> stages = new HashMap<>();
    Stages.of(program).forEach(stage -> stages.put(stage.id(), stage));
    Stage stage = Stages.of(program).getLast();
    while (stage instanceof Stage.Segment segment) {
      Stage before = stages.get(segment.input());
      if (before == null || before.equals(segment)) {
        return partitions.of(program.source(segment.input()));
      }
      stage = before;
    }
    return StatefulOperators.needsOnePartition(stage.operators().getFirst())
        ? 1
        : partitions.keyed();
  }

  /** The topics of an application that bring the documents of one key to one task. */
  public static Set<String> keyedTopics(String application, Program program) {
    return repartitionTopics(
        application, program, operator -> !StatefulOperators.needsOnePartition(operator));
  }

  /** The topics of an application that bring documents to its stateful operators. */
  public static Set<String> repartitionTopics(String application, Program program) {
    return repartitionTopics(application, program, _ -> true);
  }

  private static Set<String> repartitionTopics(
      String application, Program program, Predicate<LogicalOperator> wanted) {
    return Stages.of(program).stream()
        .filter(Stage.Stateful.class::isInstance)
        .map(stage -> stage.operators().getFirst())
        .filter(wanted)
        .map(operator -> "%s-%s-repartition".formatted(application, operator.id()))
        .collect(Collectors.toSet());
  }

  /** The changelogs of an application's pending documents. */
  public static Set<String> pendingTopics(String application, Program program) {
    return Stages.of(program).stream()
        .filter(Stage.Segment.class::isInstance)
        .map(stage -> "%s-%s%s-changelog".formatted(application, PENDING, stage.id()))
        .collect(Collectors.toSet());
  }

  /**
   * Time without documents after which nothing closes by itself any more: the sources of watermarks
   * are idle.
   */
  public static Duration settledAfter(Program program) {
    return Stages.of(program).stream().anyMatch(Stage.Stateful.class::isInstance)
        ? WatermarkGenerator.INTERVAL.multipliedBy(2L * WatermarkGenerator.IDLE_AFTER)
        : Duration.ZERO;
  }

  private Topology build() {
    program.sources().forEach(this::addSource);
    for (Stage stage : stages) {
      switch (stage) {
        case Stage.Segment segment -> addSegment(segment);
        case Stage.Stateful stateful -> addStateful(stateful);
      }
    }
    return builder.build();
  }

  private void addSource(Source source) {
    KStream<byte[], byte[]> stream =
        builder.stream(
            source.topic(), Consumed.with(BYTES, BYTES).withName("source-" + source.name()));
    String gate = "gate-" + source.name();
    SourceLetters letters =
        new SourceLetters(
            services.counters(),
            runtime.commits(),
            settings.sizes(),
            "passed-" + gate,
            DEAD_LETTERS + "-" + gate);
    KStream<byte[], byte[]> both =
        stream.process(
            () ->
                new FreshProcessor<>(
                    _ -> new SourceGate(source.topic(), services.range(), source.time(), letters)),
            Named.as(gate));
    addDeadLetters(both, letters.sink());
    // Passes everything on: a node with a name, which the documents can be forwarded to.
    stream = both.filter((_, _) -> true, Named.as(letters.node()));
    if (timed) {
      stream =
          stream.process(
              () -> new FreshProcessor<>(_ -> new WatermarkGenerator(runtime.threads()::isHeld)),
              Named.as("time-" + source.name()));
    }
    outputs.put(source.name(), new StatefulOperators.Input(stream, partitions.of(source)));
  }

  private void addSegment(Stage.Segment stage) {
    Source source =
        isNameOfAnotherStage(stage.input(), stage) ? null : program.source(stage.input());
    boolean last = stage.equals(stages.getLast());
    String deadLetters = deadLetters(stage);
    String learning = learning(stage);
    Segment segment =
        new Segment(
            source == null ? null : codec(source),
            last ? codec(program.sources().getFirst()) : null,
            source == null ? program.redaction() : source.redaction(),
            stages.size() == 1
                ? Segment.Steps.ALL
                : Segment.Steps.of(plan -> operators(stage, plan)),
            new Segment.Outlets(
                last ? List.of(RESULTS) : consumers(stage), deadLetters, false, learning));
    StatefulOperators.Input input = output(stage.input());
    KStream<byte[], byte[]> output =
        addAsync(input.stream(), node(stage), PENDING + stage.id(), segment);
    if (last) {
      addSink(output, RESULTS, program.results().topic(), false);
    }
    addDeadLetters(output, deadLetters);
    if (learning != null) {
      // By the time of the broker, as the topic keeps them for a time.
      addSink(output, learning, settings.names().learning(program.name()), true);
    }
    outputs.put(stage.id(), new StatefulOperators.Input(output, input.channels()));
  }

  /**
   * Ids of the operators that run in a segment. A plan may move an operator to another segment of
   * the program; a plan without all operators leaves them where they are.
   */
  private Set<String> operators(Stage.Segment stage, PhysicalPlan plan) {
    List<LogicalOperator> planned = plan.steps().stream().map(PlanStep::logical).toList();
    Map<String, Stages.Place> moved = Map.of();
    if (planned.size() == program.operators().size()) {
      try {
        moved = Stages.placeByOperator(program.withOperators(planned));
      } catch (IllegalArgumentException e) {
        LOG.warn("{}: {}; its operators stay in their segments", plan.program(), e.getMessage());
      }
    }
    Map<Stages.Place, String> places = Stages.places(program);
    Map<String, Stages.Place> own = Stages.placeByOperator(program);
    Set<String> operators = new HashSet<>();
    for (String id : own.keySet()) {
      String segment = places.get(moved.get(id));
      if (stage.id().equals(segment == null ? places.get(own.get(id)) : segment)) {
        operators.add(id);
      }
    }
    return operators;
  }

  private void addStateful(Stage.Stateful stage) {
    LogicalOperator operator = stage.operator();
    String id = operator.id();
    int own = StatefulOperators.needsOnePartition(operator) ? 1 : partitions.keyed();
    StatefulOperators operators =
        new StatefulOperators(
            new StatefulServices(
                program.name(),
                settings.sizes(),
                services.counters(),
                runtime.commits(),
                services.clock(),
                runtime.stores()));
    List<String> consumers = consumers(stage);
    String decide = "segment-" + id;
    String unmatched = "unmatched-" + id;
    boolean left = operator instanceof StreamJoin join && join.joinKind() == JoinKind.LEFT;
    String deadLetters = deadLetters(stage);
    KStream<byte[], byte[]> output =
        operators.add(
            operator,
            stage.inputs().stream().map(this::output).toList(),
            own,
            new StatefulOperators.Outputs(
                operator.isSemantic() ? List.of(decide) : consumers, deadLetters));
    if (!operator.isSemantic()) {
      addDeadLetters(output, deadLetters);
    } else {
      Segment segment =
          new Segment(
              null,
              null,
              program.redaction(),
              Segment.Steps.of(_ -> Set.of(id)),
              new Segment.Outlets(left ? List.of(unmatched) : consumers, deadLetters, left, null));
      KStream<byte[], byte[]> decided = addAsync(output, decide, PENDING + id, segment);
      addDeadLetters(output.merge(decided, Named.as(deadLetters)), deadLetters + "-sink");
      output = left ? operators.addUnmatched(unmatched, decided, consumers) : decided;
    }
    outputs.put(id, new StatefulOperators.Input(output, own));
  }

  private KStream<byte[], byte[]> addAsync(
      KStream<byte[], byte[]> input, String node, String store, Segment segment) {
    DocumentWork work = new DocumentWork(segment, services, settings.sizes());
    RuntimeServices own = runtime.withListener(services.counters().documents());
    return input.process(
        new AsyncProcessorSupplier(
            store, work, segment.reader() == null ? passedOn() : settings, own),
        Named.as(node));
  }

  /** A stage before has measured the document, but not the headers that it then added. */
  private RuntimeSettings passedOn() {
    return settings.withRecordLimit(settings.recordLimit() + ADDED_HEADERS);
  }

  private void addDeadLetters(KStream<byte[], byte[]> stream, String node) {
    addSink(stream, node, settings.names().deadLetters(program.name()), true);
  }

  private void addSink(
      KStream<byte[], byte[]> stream, String node, String topic, boolean deadLetters) {
    stream
        .process(() -> new SinkProcessor(topic, runtime, deadLetters), Named.as(node))
        .to(topic, Produced.with(BYTES, BYTES).withName(node + "-topic"));
  }

  private StatefulOperators.Input output(String stageOrSource) {
    return Objects.requireNonNull(outputs.get(stageOrSource), "stages are in topological order");
  }

  /** Each stage has a sink of its own: a shared one would join their subtopologies. */
  private String deadLetters(Stage stage) {
    return stages.size() == 1 ? DEAD_LETTERS : DEAD_LETTERS + "-" + stage.id();
  }

  /**
   * Null if no operator of the segment has a closed set of answers. The setting of the program may
   * change while the topology runs, so the sink does not depend on it.
   */
  private @Nullable String learning(Stage.Segment stage) {
    return stage.operators().stream().noneMatch(AnswerClasses::areClosed)
        ? null
        : stages.size() == 1 ? LEARNING : LEARNING + "-" + stage.id();
  }

  private static String node(Stage stage) {
    return "segment-" + stage.id();
  }

  /** The nodes that the documents of a stage are forwarded to. */
  private List<String> consumers(Stage from) {
    List<String> consumers = new ArrayList<>();
    for (Stage stage : stages) {
      for (int side = 0; side < stage.inputs().size(); side++) {
        if (!stage.equals(from) && stage.inputs().get(side).equals(from.id())) {
          consumers.add(
              stage instanceof Stage.Stateful
                  ? StatefulOperators.inputNode(stage.id(), side)
                  : node(stage));
        }
      }
    }
    return consumers;
  }

  /** Whether another stage has this name. An entry stage has the name of its source. */
  private boolean isNameOfAnotherStage(String name, Stage stage) {
    return stages.stream().anyMatch(other -> !other.equals(stage) && other.id().equals(name));
  }

  private DocumentCodec codec(Source source) {
    return new DocumentCodec(program, source, services.avro());
  }
}
