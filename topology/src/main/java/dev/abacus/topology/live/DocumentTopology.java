package dev.abacus.topology.live;

import dev.abacus.schemas.kafka.Topics;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.Stage;
import dev.abacus.schemas.program.Stages;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.runtime.AsyncProcessorSupplier;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.stateful.InternalTopics;
import dev.abacus.topology.stateful.StatefulOperators;
import dev.abacus.topology.stateful.StoreFactory;
import dev.abacus.topology.stateful.time.WatermarkGenerator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * The Kafka Streams topology of a program's documents. It never changes with the plan, which says
 * what happens inside the segments:
 *
 * <pre>
 *   source topic ──► segment ──► stateful operator ──► segment ──► results
 *                       └───────────┴───────────┴──────► dead letters
 * </pre>
 *
 * <p>A program without stateful operators is one segment. In others, watermarks flow beside the
 * documents (see {@link WatermarkGenerator}).
 */
public final class DocumentTopology {

  /** The sink of results. */
  public static final String RESULTS = "results";

  /** The sink of dead letters of a program of one segment. */
  public static final String DEAD_LETTERS = "dead-letters";

  private final Program program;
  private final List<Stage> stages;
  private final boolean timed;
  private final DocumentServices services;
  private final RuntimeSettings settings;
  private final RuntimeServices runtime;
  private final ToIntFunction<Source> partitions;
  private final StoreFactory stores;
  private final InternalTopics topology = new InternalTopics();

  /** The node that a stage's documents come from, and how many tasks it has, by stage. */
  private final Map<String, String> exits = new HashMap<>();

  private final Map<String, Integer> channels = new HashMap<>();

  private DocumentTopology(
      Program program,
      DocumentServices services,
      RuntimeSettings settings,
      RuntimeServices runtime,
      ToIntFunction<Source> partitions,
      StoreFactory stores) {
    this.program = program;
    this.stages = Stages.of(program);
    this.timed = stages.stream().anyMatch(Stage.Stateful.class::isInstance);
    this.services = services;
    this.settings = settings;
    this.runtime = runtime;
    this.partitions = partitions;
    this.stores = stores;
  }

  /**
   * The topology of a program.
   *
   * @param runtime what its processors share; each gets a listener of its own
   * @param partitions how many a source's topic has
   */
  public static Topology of(
      Program program,
      DocumentServices services,
      RuntimeSettings settings,
      RuntimeServices runtime,
      ToIntFunction<Source> partitions) {
    return of(program, services, settings, runtime, partitions, Stores::persistentKeyValueStore);
  }

  /** The same over stores of any kind, ordered by key. */
  static Topology of(
      Program program,
      DocumentServices services,
      RuntimeSettings settings,
      RuntimeServices runtime,
      ToIntFunction<Source> partitions,
      StoreFactory stores) {
    return new DocumentTopology(program, services, settings, runtime, partitions, stores).build();
  }

  private Topology build() {
    program.sources().forEach(this::addSource);
    for (Stage stage : stages) {
      switch (stage) {
        case Stage.Segment segment -> addSegment(segment);
        case Stage.Stateful stateful -> addStateful(stateful);
      }
    }
    return topology;
  }

  private void addSource(Source source) {
    ByteArrayDeserializer reading = new ByteArrayDeserializer();
    String node = "source-" + source.name();
    topology.addSource(node, reading, reading, source.topic());
    if (timed) {
      topology.addProcessor("time-" + source.name(), WatermarkGenerator::new, node);
      node = "time-" + source.name();
    }
    exits.put(source.name(), node);
    channels.put(source.name(), partitions.applyAsInt(source));
  }

  private void addSegment(Stage.Segment stage) {
    Source source = isStage(stage.input(), stage) ? null : source(stage.input());
    boolean last = stage.equals(stages.getLast());
    String deadLetters = deadLetters(stage);
    String node = node(stage);
    Segment segment =
        new Segment(
            source == null ? null : codec(source),
            last ? codec(program.sources().getFirst()) : null,
            stage.operators().stream().map(LogicalOperator::id).collect(Collectors.toSet()),
            stages.size() == 1,
            last ? List.of(RESULTS) : takers(stage),
            deadLetters,
            false);
    String parent = exits.get(stage.input());
    addAsync(node, "pending-" + stage.id(), segment, parent);
    ByteArraySerializer writing = new ByteArraySerializer();
    if (last) {
      topology.addSink(RESULTS, program.results().topic(), writing, writing, node);
    }
    addDeadLetters(deadLetters, node);
    channels.put(stage.id(), channels.getOrDefault(stage.input(), 1));
    exits.put(stage.id(), node);
  }

  private void addStateful(Stage.Stateful stage) {
    LogicalOperator operator = stage.operator();
    String id = operator.id();
    int own = StatefulOperators.needsOnePartition(operator) ? 1 : mostPartitions();
    StatefulOperators nodes =
        new StatefulOperators(
            topology,
            program.name(),
            settings.recordLimit(),
            services.counters(),
            services.clock(),
            stores);
    List<String> takers = takers(stage);
    String asking = "segment-" + id;
    String unmatched = "unmatched-" + id;
    boolean left = operator instanceof StreamJoin join && join.joinKind() == JoinKind.LEFT;
    String deadLetters = deadLetters(stage);
    nodes.add(
        operator,
        stage.inputs().stream().map(input -> exits.getOrDefault(input, input)).toList(),
        stage.inputs().stream().map(input -> channels.getOrDefault(input, 1)).toList(),
        own,
        operator.isSemantic() ? List.of(asking) : takers,
        deadLetters);
    exits.put(id, StatefulOperators.node(id));
    if (operator.isSemantic()) {
      Segment segment =
          new Segment(
              null, null, Set.of(id), false, left ? List.of(unmatched) : takers, deadLetters, left);
      addAsync(asking, "pending-" + id, segment, StatefulOperators.node(id));
      exits.put(id, asking);
    }
    if (operator.isSemantic() && left) {
      nodes.addUnmatched(unmatched, asking, takers);
      exits.put(id, unmatched);
    }
    addDeadLetters(
        deadLetters,
        operator.isSemantic()
            ? new String[] {StatefulOperators.node(id), asking}
            : new String[] {StatefulOperators.node(id)});
    channels.put(id, own);
  }

  private void addAsync(String node, String store, Segment segment, @Nullable String parent) {
    DocumentWork work = new DocumentWork(segment, services, settings.recordLimit());
    RuntimeServices own = runtime.withListener(services.counters().documents());
    topology.addProcessor(
        node,
        new AsyncProcessorSupplier(store, stores::store, work, settings, own),
        java.util.Objects.requireNonNull(parent));
  }

  private void addDeadLetters(String name, String... parents) {
    ByteArraySerializer writing = new ByteArraySerializer();
    topology.addSink(name, Topics.deadLetters(program.name()), writing, writing, parents);
  }

  /** Sinks of one name would tie the stages together, so each has its own. */
  private String deadLetters(Stage stage) {
    return stages.size() == 1 ? DEAD_LETTERS : DEAD_LETTERS + "-" + stage.id();
  }

  private static String node(Stage stage) {
    return "segment-" + stage.id();
  }

  /** The nodes that take the documents of a stage. */
  private List<String> takers(Stage from) {
    List<String> takers = new ArrayList<>();
    for (Stage stage : stages) {
      for (int side = 0; side < stage.inputs().size(); side++) {
        if (!stage.equals(from) && stage.inputs().get(side).equals(from.id())) {
          takers.add(
              stage instanceof Stage.Stateful
                  ? StatefulOperators.entrance(stage.id(), side)
                  : node(stage));
        }
      }
    }
    return takers;
  }

  /** Whether that name is another stage: one that lets a source in bears its name. */
  private boolean isStage(String name, Stage than) {
    return stages.stream().anyMatch(stage -> !stage.equals(than) && stage.id().equals(name));
  }

  private @Nullable Source source(String name) {
    return program.sources().stream()
        .filter(source -> source.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  private DocumentCodec codec(Source source) {
    return new DocumentCodec(program, source, services.avro());
  }

  private int mostPartitions() {
    return program.sources().stream().mapToInt(partitions).max().orElse(1);
  }
}
