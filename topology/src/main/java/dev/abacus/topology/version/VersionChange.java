package dev.abacus.topology.version;

import dev.abacus.schemas.program.Program;
import dev.abacus.topology.control.ProgramPlans;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Decides and makes the next transition of a program's versions. Every worker may do so at any
 * time: each decision rests on a state that was read from the log, and {@link Log#replace} refuses
 * it if the state has changed since. A worker that dies before a transition leaves it to the
 * others; one that dies after it has nothing left to do.
 */
public final class VersionChange {

  /** The versions of programs, as a log of states. */
  public interface Log {

    /** The state that was read last; null if the program has none. */
    @Nullable ProgramVersions versions(String program);

    /**
     * Writes the next state and the first source offsets of a consumer group, both or none, unless
     * the state is no longer the expected one.
     *
     * @param offsets of the application of the next state's current version; may be empty
     * @return whether the state was written
     */
    boolean replace(
        String program,
        @Nullable ProgramVersions expected,
        ProgramVersions next,
        Map<TopicPartition, Long> offsets)
        throws InterruptedException;
  }

  /** The applications of versions, as the cluster knows them. */
  public interface Applications {

    /**
     * Where a stopped application has ended: the committed offset of every source partition, or the
     * first offset of a partition without one; empty if it never committed any. Null while it has
     * members.
     *
     * @throws KafkaException if the cluster cannot be reached
     */
    @Nullable Map<TopicPartition, Long> ends(ProgramVersions.Version version)
        throws InterruptedException;

    /** Number of tasks of the last stage of a version. */
    int lastTasks(ProgramVersions.Version version) throws InterruptedException;
  }

  /** What changes the versions. */
  private interface Transition {
    void make() throws InterruptedException;
  }

  private final String program;
  private final Log log;
  private final Applications applications;
  private final ProgramPlans plans;
  private final VersionTopic.EndOffset control;
  private final Runnable onEnded;

  /** The log may store a definition in another form, without secrets for example. */
  private volatile @Nullable Program redefined;

  /** Partitions by version. */
  private final Map<Integer, Set<Integer>> ended = new ConcurrentHashMap<>();

  /**
   * Creates the decider of one program.
   *
   * @param plans what the control topic wants of the program, as far as this worker has read it
   * @param control end of the control topic
   * @param onEnded called on any thread when {@link #advance} has something to do because a task
   *     has ended, which no topic tells
   */
  public VersionChange(
      String program,
      Log log,
      Applications applications,
      ProgramPlans plans,
      VersionTopic.EndOffset control,
      Runnable onEnded) {
    this.program = program;
    this.log = log;
    this.applications = applications;
    this.plans = plans;
    this.control = control;
    this.onEnded = onEnded;
  }

  /** A task of the last stage of an ending version has nothing left. Any thread may call this. */
  public void ended(int version, int partition) {
    if (ended.computeIfAbsent(version, _ -> ConcurrentHashMap.newKeySet()).add(partition)) {
      onEnded.run();
    }
  }

  /** Whether {@link #advance} has something to do, by what this worker has read. */
  public boolean isDue() {
    return transition(log.versions(program)) != null;
  }

  /** Makes the next transition, if one is due. */
  public void advance() throws InterruptedException {
    // Read before the control topic: a later state may rest on what this worker has not read.
    ProgramVersions now = log.versions(program);
    // A worker that is behind would take back what the others have begun.
    if (transition(now) != null && control.read() <= plans.position()) {
      Transition due = transition(now);
      if (due != null) {
        due.make();
      }
    }
  }

  /** The next transition; null if none is due. */
  private @Nullable Transition transition(@Nullable ProgramVersions now) {
    ProgramPlans.State wanted = plans.state();
    Program definition = wanted.program();
    if (definition == null) {
      return null;
    }
    if (now == null) {
      return () -> replace(null, ProgramVersions.first(definition));
    }
    Map<Integer, Set<Integer>> more = unrecorded(now);
    if (!more.isEmpty()) {
      return () -> replace(now, now.ended(more));
    }
    if (ProgramShape.same(now.current().program(), definition)) {
      boolean known = now.current().program().equals(definition) || definition.equals(redefined);
      return now.stopping() || !known ? () -> redefine(now, definition) : null;
    }
    // Until the active plan was made for the definition, the old version runs.
    boolean planned =
        wanted.active() != null && plans.fits(wanted, wanted.active().epoch(), definition);
    if (planned) {
      return now.stopping() ? () -> start(now, definition) : () -> stop(now, wanted);
    }
    return now.stopping() ? () -> replace(now, now.resumed()) : null;
  }

  private boolean replace(@Nullable ProgramVersions now, ProgramVersions next)
      throws InterruptedException {
    return log.replace(program, now, next, Map.of());
  }

  /** Tasks that ended on this worker and that the state does not have. */
  private Map<Integer, Set<Integer>> unrecorded(ProgramVersions now) {
    Map<Integer, Set<Integer>> more = new HashMap<>();
    for (ProgramVersions.Ending old : now.ending()) {
      Set<Integer> here = new HashSet<>(ended.getOrDefault(old.version().number(), Set.of()));
      here.removeAll(old.ended());
      here.removeIf(task -> task >= old.tasks()); // Of partitions that were added since.
      if (!here.isEmpty()) {
        more.put(old.version().number(), here);
      }
    }
    return more;
  }

  private void redefine(ProgramVersions now, Program definition) throws InterruptedException {
    if (replace(now, now.redefined(definition))) {
      redefined = definition;
    }
  }

  private void stop(ProgramVersions now, ProgramPlans.State wanted) throws InterruptedException {
    Long epoch = plans.newestFitting(wanted, now.current().program());
    replace(now, now.stopped(epoch));
  }

  private void start(ProgramVersions now, Program definition) throws InterruptedException {
    Map<TopicPartition, Long> ends = applications.ends(now.current());
    if (ends == null) {
      return;
    }
    int tasks = ends.isEmpty() ? 0 : applications.lastTasks(now.current());
    ProgramVersions next = now.started(definition, ends, tasks);
    Map<TopicPartition, Long> first = new HashMap<>(next.positions());
    first
        .keySet()
        .removeIf(partition ->
            definition.sources().stream()
                .noneMatch(source -> source.topic().equals(partition.topic())));
    log.replace(program, now, next, first);
  }
}
