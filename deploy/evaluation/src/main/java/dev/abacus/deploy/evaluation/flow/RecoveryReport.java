package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.flow.RecoveryOptions.Takeover;
import java.util.List;
import java.util.Map;

/**
 * What deaths of processes cost.
 *
 * @param properties given to the processes beside their defaults
 * @param workers a line per kill of a worker
 * @param leaders a line per kill of a leading optimizer
 * @param simulated true: the models are simulated
 */
public record RecoveryReport(
    Map<String, String> properties,
    List<WorkerRun> workers,
    List<LeaderRun> leaders,
    boolean simulated) {

  public RecoveryReport {
    properties = Map.copyOf(properties);
    workers = List.copyOf(workers);
    leaders = List.copyOf(leaders);
  }

  /** Whether every document was done once. */
  public boolean exact() {
    return workers.stream().allMatch(WorkerRun::exact);
  }

  /**
   * What the death of a worker cost.
   *
   * @param secondsToFirstResult from the kill to the first result that is seen after it; results of
   *     transactions that were committed before do not count. Where another worker ran beside it,
   *     that may be one of its own
   * @param secondsToAllPartitions until there was a result of a document that was sent after the
   *     kill from every partition of the source
   * @param secondsToCaughtUp until no more documents were waiting than before the kill
   * @param documents that were sent in all
   * @param waitingAtKill documents that had been sent and had not come out when the worker was
   *     killed
   * @param calls of models in all
   * @param callsRepeated calls that were made a second time
   * @param lost documents that neither gave a result nor a dead letter
   * @param duplicates results and dead letters beyond one per document
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
      long lost,
      long duplicates,
      long deadLetters) {

    /** Whether every document was done once. */
    public boolean exact() {
      return lost == 0 && duplicates == 0 && deadLetters == 0;
    }
  }

  /**
   * How soon another optimizer led when the one that led was killed.
   *
   * @param sessionTimeoutSeconds what the optimizers were told ({@code
   *     optimizer.session.timeout.ms})
   * @param secondsToLead from the kill until the other one had read the control topic and written:
   *     refused a bad record that was sent right after the kill
   */
  public record LeaderRun(double sessionTimeoutSeconds, double secondsToLead) {}
}
