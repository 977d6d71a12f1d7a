package dev.abacus.topology.version;

import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The versions of a program, as the versions topic has them. A change of shape goes through these
 * states, each one record:
 *
 * <ol>
 *   <li><em>stopping</em>: the application of the current version stops on all workers;
 *   <li><em>started</em>: the source offsets that its group has committed are its end, and the
 *       first offsets of the next version. It runs again to finish what it has admitted, and
 *       ignores documents from its end on;
 *   <li><em>finished</em>: all its tasks have reached the end, and it is removed.
 * </ol>
 *
 * @param revision number of transitions; never the same for two states
 * @param current the version that takes new documents
 * @param stopping whether the current version must not run, because another one takes its place
 * @param ending earlier versions that still have documents or windows
 * @param positions for every source partition that a version has left, the offset at which the next
 *     one that reads it starts
 */
public record ProgramVersions(
    long revision,
    Version current,
    boolean stopping,
    List<Ending> ending,
    Map<TopicPartition, Long> positions) {

  public ProgramVersions {
    ending = List.copyOf(ending);
    positions = Map.copyOf(positions);
  }

  /**
   * A version.
   *
   * @param number 1 for the first
   * @param epoch of the plan for documents whose work has not started; null while the version takes
   *     new documents, because the control topic then says it
   */
  public record Version(int number, Program program, @Nullable Long epoch) {

    /** Id of its Kafka Streams application. */
    public String application(KafkaNames names) {
      return names.application(program.name(), number);
    }
  }

  /**
   * A version that takes no new documents.
   *
   * @param ends offset of the first document of each source partition that it does not process; it
   *     processes nothing of other partitions
   * @param tasks number of tasks of its last stage
   * @param ended partitions of the tasks of its last stage that have nothing left
   */
  public record Ending(
      Version version, Map<TopicPartition, Long> ends, int tasks, Set<Integer> ended) {
    public Ending {
      ends = Map.copyOf(ends);
      ended = Set.copyOf(ended);
    }

    private Ending with(Set<Integer> more) {
      Set<Integer> all = new HashSet<>(ended);
      all.addAll(more);
      return new Ending(version, ends, tasks, all);
    }
  }

  /** The state of a program that never changed its shape. */
  public static ProgramVersions first(Program program) {
    return new ProgramVersions(1, new Version(1, program, null), false, List.of(), Map.of());
  }

  /** Another definition of the same shape. */
  public ProgramVersions redefined(Program program) {
    return next(new Version(current.number(), program, null), false, ending, positions);
  }

  /**
   * The current version stops.
   *
   * @param epoch of the plan for its documents whose work has not started
   */
  public ProgramVersions stopped(@Nullable Long epoch) {
    return next(new Version(current.number(), current.program(), epoch), true, ending, positions);
  }

  /** The current version continues; its successor was withdrawn. */
  public ProgramVersions resumed() {
    return redefined(current.program());
  }

  /**
   * The next version starts.
   *
   * @param ends where the stopped version has ended; empty if it never ran
   * @param tasks number of tasks of the last stage of the stopped version
   */
  public ProgramVersions started(Program program, Map<TopicPartition, Long> ends, int tasks) {
    List<Ending> more = new ArrayList<>(ending);
    Map<TopicPartition, Long> known = new HashMap<>(positions);
    known.putAll(ends);
    if (!ends.isEmpty()) {
      more.add(new Ending(current, ends, tasks, Set.of()));
    }
    return next(new Version(current.number() + 1, program, null), false, more, known);
  }

  /** Tasks of the last stage of ending versions have ended; versions without others are removed. */
  public ProgramVersions ended(Map<Integer, Set<Integer>> partitionsByVersion) {
    List<Ending> left =
        ending.stream()
            .map(
                old -> old.with(partitionsByVersion.getOrDefault(old.version().number(), Set.of())))
            .filter(old -> old.ended().size() < old.tasks())
            .toList();
    return next(current, stopping, left, positions);
  }

  /** The ending version with this number; null if there is none. */
  public @Nullable Ending ending(int version) {
    return ending.stream()
        .filter(old -> old.version().number() == version)
        .findFirst()
        .orElse(null);
  }

  private ProgramVersions next(
      Version version, boolean stops, List<Ending> old, Map<TopicPartition, Long> known) {
    return new ProgramVersions(revision + 1, version, stops, old, known);
  }
}
