package dev.abacus.topology.version;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.control.ProgramPlans;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A cluster whose workers share topics, groups and documents, and may die at any step. */
final class VersionCluster {

  static final ProgramParser PARSER = new ProgramParser(ModelCatalogue.builtIn());
  static final KafkaNames NAMES = KafkaNames.UNPREFIXED;
  static final VersionCodec CODEC = new VersionCodec(PARSER);
  static final int PARTITIONS = 2;

  /** Programs of three shapes; the last one has the shape of the first and another prompt. */
  static final List<Program> PROGRAMS =
      List.of(
          program("What?", ""),
          program("What?", "  - limit: 5\n    window: 1m\n"),
          program(
              "What?",
              "  - aggregate: sums\n    window: { tumbling: 1m }\n    compute: { n: count }\n"),
          program("Which?", ""));

  static Program program(String instruction, String more) {
    try {
      return PARSER.parse(
          """
          program: p
          sources: { messages: { topic: in } }
          results: { topic: out }
          operators:
            - map: topic
              instruction: %s
              reads: [text]
              writes: { topic: { type: string } }
          """
                  .formatted(instruction)
              + more);
    } catch (InvalidTextException e) {
      throw new AssertionError(e);
    }
  }

  static ProgramVersions stored(ProgramVersions state) {
    try {
      return CODEC.decode(VersionCodec.encode(state));
    } catch (MalformedRecordException e) {
      throw new AssertionError(e);
    }
  }

  /** A worker that dies in mid-step. */
  static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  final Random random;
  final List<ControlRecord> control = new ArrayList<>();
  final List<ProgramVersions> states = new ArrayList<>();
  final Map<String, Set<Worker>> members = new HashMap<>();
  final Map<String, Map<TopicPartition, Long>> committed = new HashMap<>();

  /** Admitted and not finished, by application and partition. */
  final Map<String, Map<TopicPartition, List<Long>>> pending = new HashMap<>();

  final Map<TopicPartition, List<Long>> results = new HashMap<>();
  long documents;

  VersionCluster(long seed) {
    random = new Random(seed);
  }

  void apply(int program, long epoch) {
    Program wanted = PROGRAMS.get(program);
    control.add(new ControlRecord.ProgramSet(wanted));
    List<PlanStep> steps =
        wanted.operators().stream()
            .map(operator ->
                new PlanStep(
                    operator,
                    operator.isSemantic() ? new ModelSelection("gpt-4o") : new Relational()))
            .toList();
    PlanChoice choice = new PlanChoice(steps, new Estimate(1, 0, 0));
    control.add(
        new ControlRecord.PlanPublished(
            new PhysicalPlan("p", epoch, choice, wanted.objective(), List.of())));
    control.add(new ControlRecord.Activated("p", epoch, 1, "test", "test"));
  }

  Set<Worker> members(String application) {
    return members.computeIfAbsent(application, _ -> new HashSet<>());
  }

  Map<TopicPartition, Long> committed(String application) {
    return committed.computeIfAbsent(application, _ -> new HashMap<>());
  }

  List<Long> pending(String application, TopicPartition partition) {
    return pending
        .computeIfAbsent(application, _ -> new HashMap<>())
        .computeIfAbsent(partition, _ -> new ArrayList<>());
  }

  /** A process, as it is between two kills. */
  static final class Worker implements VersionChange.Log, VersionChange.Applications {
    private final VersionCluster cluster;
    final boolean mayDie;
    private final ProgramPlans plans = new ProgramPlans(_ -> true, this::controlRead);
    private final VersionChange change;

    /** The end that each application that it runs has read when it joined; null for none. */
    final Map<Integer, Map<TopicPartition, Long>> running = new HashMap<>();

    private int controlRead;
    private int statesRead;

    Worker(VersionCluster cluster, boolean mayDie) {
      this.cluster = cluster;
      this.mayDie = mayDie;
      this.change = new VersionChange("p", this, this, plans, this::controlEnd, () -> {});
    }

    private void mayDie() {
      if (mayDie && cluster.random.nextInt(12) == 0) {
        throw new Killed();
      }
    }

    private void readControl(int until) {
      for (; controlRead < until; controlRead++) {
        plans.apply(cluster.control.get(controlRead));
      }
    }

    private long controlRead() {
      return controlRead;
    }

    private long controlEnd() {
      mayDie();
      if (cluster.random.nextBoolean()) {
        readControl(cluster.control.size());
      }
      return cluster.control.size();
    }

    @Override
    public @Nullable ProgramVersions versions(String program) {
      return statesRead == 0 ? null : cluster.states.get(statesRead - 1);
    }

    @Override
    public boolean replace(
        String program,
        @Nullable ProgramVersions expected,
        ProgramVersions next,
        Map<TopicPartition, Long> offsets) {
      mayDie();
      statesRead = cluster.states.size();
      if (!Objects.equals(versions(program), expected)) {
        return false;
      }
      cluster.states.add(stored(next));
      cluster.committed(next.current().application(NAMES)).putAll(offsets);
      mayDie();
      statesRead++;
      return true;
    }

    @Override
    public @Nullable Map<TopicPartition, Long> ends(ProgramVersions.Version version) {
      mayDie();
      if (!cluster.members(version.application(NAMES)).isEmpty()) {
        return null;
      }
      Map<TopicPartition, Long> committed = cluster.committed(version.application(NAMES));
      Map<TopicPartition, Long> ends = new HashMap<>();
      partitions().forEach(partition -> ends.put(partition, committed.getOrDefault(partition, 0L)));
      return committed.isEmpty() ? Map.of() : ends;
    }

    @Override
    public int lastTasks(ProgramVersions.Version version) {
      return PARTITIONS;
    }

    /** One look at both topics, and what follows from it. */
    void reconcile() throws InterruptedException {
      Random random = cluster.random;
      readControl(controlRead + random.nextInt(cluster.control.size() - controlRead + 1));
      statesRead += random.nextInt(cluster.states.size() - statesRead + 1);
      if (change.isDue()) {
        change.advance();
      }
      ProgramVersions now = versions("p");
      if (now == null) {
        return;
      }
      Set<Integer> wanted = new HashSet<>();
      now.ending().forEach(old -> wanted.add(old.version().number()));
      if (!now.stopping()) {
        wanted.add(now.current().number());
      }
      for (int version : List.copyOf(running.keySet())) {
        if (!wanted.contains(version)) {
          leave(version);
        }
      }
      wanted.stream().filter(version -> !running.containsKey(version)).forEach(this::join);
    }

    /** Reads the versions topic to its end after joining, as the gate of the sources does. */
    private void join(int version) {
      cluster.members(application(version)).add(this);
      statesRead = cluster.states.size();
      ProgramVersions now = Objects.requireNonNull(versions("p"));
      ProgramVersions.Ending ending = now.ending(version);
      boolean held = ending == null && (now.stopping() || now.current().number() != version);
      if (held) {
        leave(version);
      } else {
        running.put(version, ending == null ? Map.of() : ending.ends());
      }
    }

    private void leave(int version) {
      running.remove(version);
      cluster.members(application(version)).remove(this);
    }

    void die() {
      List.copyOf(running.keySet()).forEach(this::leave);
    }

    /** Admits or finishes a document, each in a transaction. */
    void work() {
      for (Map.Entry<Integer, Map<TopicPartition, Long>> run : running.entrySet()) {
        if (!run.getValue().isEmpty()) {
          // The task of a partition that was added to the source meanwhile has nothing to finish.
          change.ended(run.getKey(), PARTITIONS);
        }
        for (TopicPartition partition : partitions()) {
          work(run.getKey(), run.getValue(), partition);
        }
      }
    }

    private void work(int version, Map<TopicPartition, Long> ends, TopicPartition partition) {
      String application = application(version);
      Map<TopicPartition, Long> committed = cluster.committed(application);
      long next = committed.getOrDefault(partition, 0L);
      boolean ending = !ends.isEmpty();
      List<Long> pending = cluster.pending(application, partition);
      if (!pending.isEmpty() && cluster.random.nextBoolean()) {
        cluster
            .results
            .computeIfAbsent(partition, _ -> new ArrayList<>())
            .add(pending.removeFirst());
      } else if (next < cluster.documents && cluster.random.nextBoolean()) {
        committed.put(partition, next + 1);
        if (!ending || next < ends.getOrDefault(partition, 0L)) {
          pending.add(next);
        }
      } else if (ending && pending.isEmpty()) {
        change.ended(version, partition.partition());
      }
    }

    private static String application(int version) {
      return NAMES.application("p", version);
    }

    static List<TopicPartition> partitions() {
      return IntStream.range(0, PARTITIONS).mapToObj(i -> new TopicPartition("in", i)).toList();
    }
  }
}
