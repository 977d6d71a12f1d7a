package dev.abacus.deploy.evaluation.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Results of the throughput benchmark.
 *
 * @param idealDocumentsPerSecond documents in flight ÷ mean latency; null without latency
 * @param contenders in the order of measurement
 * @param heapMegabytes heap in use after a full collection, at most; broker and documents in flight
 *     included. 0 if there was none
 * @param simulated always true: the model calls are simulated
 */
record ThroughputReport(
    @Nullable Double idealDocumentsPerSecond,
    List<Measured> contenders,
    long heapMegabytes,
    boolean simulated) {

  /**
   * What one contender reached.
   *
   * @param guarantee what holds for its results
   * @param documentsPerSecond in steady state: between the first and the last tenth of the results
   * @param ratioToIdeal null without latency
   * @param ratioToClient {@code documentsPerSecond} ÷ that of the bare client; null if it was not
   *     measured
   * @param abacusRatio that of the product ÷ {@code documentsPerSecond}; null if it was not
   *     measured
   * @param documents committed results and dead letters
   * @param deadLetters dead letters among them
   * @param duplicates results beyond one per document
   * @param seconds from the first to the last result
   */
  record Measured(
      String contender,
      String guarantee,
      double documentsPerSecond,
      @Nullable Double ratioToIdeal,
      @Nullable Double ratioToClient,
      @Nullable Double abacusRatio,
      long documents,
      long deadLetters,
      long duplicates,
      double seconds) {}
}
