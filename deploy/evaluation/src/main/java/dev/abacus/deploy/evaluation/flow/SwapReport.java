package dev.abacus.deploy.evaluation.flow;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.abacus.deploy.evaluation.load.DocumentFlow.Losses;
import dev.abacus.deploy.evaluation.load.Statistics;
import java.util.List;

/**
 * Results of the swap benchmark.
 *
 * @param documentsPerSecond documents per second at full load with plan swaps
 * @param documentsPerSecondWithoutSwaps documents per second at full load with one plan
 * @param ratio {@code documentsPerSecond / documentsPerSecondWithoutSwaps}
 * @param fullLoad delay of activations at full load
 * @param halfLoad delay of activations at half load
 * @param documents documents sent in all phases
 * @param mixed documents with a step that another plan than that of the result processed
 * @param simulated always true: the model calls only wait
 */
public record SwapReport(
    double documentsPerSecond,
    double documentsPerSecondWithoutSwaps,
    double ratio,
    Effect fullLoad,
    Effect halfLoad,
    long documents,
    @JsonUnwrapped Losses losses,
    long mixed,
    boolean simulated) {

  /**
   * Delay of activations.
   *
   * @param swaps number of activations
   * @param firstCall from sending the activation to the first model call under its plan, on each
   *     worker
   * @param firstResult from sending the activation to the first committed result of its plan
   */
  public record Effect(int swaps, Delay firstCall, Delay firstResult) {}

  /** Returns whether every document was processed exactly once, by one plan. */
  public boolean exact() {
    return losses.none() && mixed == 0;
  }

  /**
   * Statistics of measured delays.
   *
   * @param times number of measurements
   * @param p50Millis median in milliseconds; 0 without measurements
   * @param p99Millis 99th percentile in milliseconds; 0 without measurements
   * @param worstMillis maximum in milliseconds; 0 without measurements
   */
  public record Delay(int times, double p50Millis, double p99Millis, double worstMillis) {

    /** Computes the statistics of delays in nanoseconds. */
    static Delay ofNanos(List<Long> nanos) {
      if (nanos.isEmpty()) {
        return new Delay(0, 0, 0, 0);
      }
      List<Long> sorted = nanos.stream().sorted().toList();
      long p99 = sorted.get((int) Math.ceil(0.99 * sorted.size()) - 1);
      return new Delay(
          sorted.size(), Statistics.median(sorted) / 1e6, p99 / 1e6, sorted.getLast() / 1e6);
    }
  }
}
