package dev.abacus.deploy.evaluation.flow;

import java.util.Map;

/**
 * Results of the scaling benchmark.
 *
 * @param workers number of workers that the first one became
 * @param properties properties of the workers, in addition to the defaults
 * @param one rate of the first worker alone
 * @param out the change from one worker to all
 * @param in the change from all workers to one
 * @param documents documents sent
 * @param callsRepeated calls with the same request as an earlier call
 * @param lost documents without a result or a dead letter
 * @param duplicates results and dead letters beyond one per document
 * @param simulated always true: the models are simulated
 */
public record ScaleReport(
    int workers,
    Map<String, String> properties,
    double one,
    Change out,
    Change in,
    long documents,
    long callsRepeated,
    long lost,
    long duplicates,
    long deadLetters,
    boolean simulated) {

  public ScaleReport {
    properties = Map.copyOf(properties);
  }

  /**
   * A change of the number of workers.
   *
   * @param longestSilenceSeconds longest time without a result of one source partition, from the
   *     command to the end of the measurement
   * @param documentsPerSecond results per second after the settling time
   * @param ofProportional rate ÷ rate of the first worker ÷ number of workers
   */
  public record Change(
      double longestSilenceSeconds, double documentsPerSecond, double ofProportional) {}

  /** Returns whether every document was processed exactly once. */
  public boolean exact() {
    return lost == 0 && duplicates == 0 && deadLetters == 0;
  }
}
