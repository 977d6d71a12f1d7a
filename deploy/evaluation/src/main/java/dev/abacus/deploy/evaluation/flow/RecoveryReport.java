package dev.abacus.deploy.evaluation.flow;

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
}
