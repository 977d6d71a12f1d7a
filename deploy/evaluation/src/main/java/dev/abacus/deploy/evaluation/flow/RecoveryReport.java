package dev.abacus.deploy.evaluation.flow;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.abacus.deploy.evaluation.load.DocumentFlow.Losses;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Results of the recovery benchmark.
 *
 * @param properties properties set in addition to the defaults
 * @param workers one entry per killed worker
 * @param simulated always true: the models are simulated
 */
public record RecoveryReport(
    Map<String, String> properties, List<WorkerRun> workers, boolean simulated) {

  public RecoveryReport {
    properties = Map.copyOf(properties);
    workers = List.copyOf(workers);
  }

  /** The process that takes over after a kill. */
  public enum Takeover {
    /** The killed worker, restarted with its state directory. */
    RESTART,
    /** A new worker, started after the kill with an empty state directory. */
    REPLACEMENT,
    /** A second worker that ran from the start. */
    SURVIVOR;

    /** Returns the name as on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns whether every document was processed exactly once. */
  public boolean exact() {
    return workers.stream().allMatch(run -> run.losses().none());
  }

  /**
   * Recovery after the kill of one worker.
   *
   * @param secondsToFirstResult seconds from the kill to the first new result. Results of
   *     transactions committed before the kill do not count. With a surviving worker, the result
   *     may be its own
   * @param secondsToAllPartitions seconds from the kill until every source partition has a result
   *     of a document sent after the kill
   * @param secondsToCaughtUp seconds from the kill until no more documents wait than before the
   *     kill
   * @param documents documents sent in total
   * @param waitingAtKill documents without a result at the time of the kill
   * @param calls model calls in total
   * @param callsRepeated calls with the same request as an earlier call
   */
  public record WorkerRun(
      Takeover takeover,
      double secondsToFirstResult,
      double secondsToAllPartitions,
      double secondsToCaughtUp,
      long documents,
      long waitingAtKill,
      long calls,
      long callsRepeated,
      @JsonUnwrapped Losses losses) {}
}
