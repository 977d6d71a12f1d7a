package dev.abacus.deploy.evaluation.flow;

import java.util.List;

/**
 * What swaps of plans cost.
 *
 * @param documentsPerSecond under full load while plans change
 * @param documentsPerSecondWithoutSwaps under full load, one plan
 * @param ratio the first divided by the second
 * @param fullLoad how soon activations took effect while the source never ran dry
 * @param halfLoad the same, with half as many documents as can be done
 * @param documents that were sent, in all phases
 * @param lost documents that neither gave a result nor a dead letter
 * @param duplicates results and dead letters beyond one per document
 * @param mixed documents of which not every step was done by the plan of the result's epoch
 * @param simulated true: the model calls only wait
 */
public record SwapReport(
    double documentsPerSecond,
    double documentsPerSecondWithoutSwaps,
    double ratio,
    Effect fullLoad,
    Effect halfLoad,
    long documents,
    long lost,
    long duplicates,
    long deadLetters,
    long mixed,
    boolean simulated) {

  /**
   * How soon activations took effect.
   *
   * @param swaps activations sent
   * @param toFirstCall from sending the activation to the first model call under its plan
   * @param toFirstResult from sending the activation to the first committed result of its plan
   */
  public record Effect(int swaps, Delay toFirstCall, Delay toFirstResult) {}

  /** Whether every document was done once, by one plan. */
  public boolean exact() {
    return lost == 0 && duplicates == 0 && deadLetters == 0 && mixed == 0;
  }

  /**
   * How long something took, of several times.
   *
   * @param times that it was measured
   * @param medianMillis 0 if it was never measured
   * @param worstMillis 0 if it was never measured
   */
  public record Delay(int times, double medianMillis, double worstMillis) {

    /** Of so many nanoseconds each. */
    static Delay ofNanos(List<Long> nanos) {
      if (nanos.isEmpty()) {
        return new Delay(0, 0, 0);
      }
      List<Long> sorted = nanos.stream().sorted().toList();
      int half = sorted.size() / 2;
      double median =
          sorted.size() % 2 == 1
              ? sorted.get(half)
              : (sorted.get(half - 1) + sorted.get(half)) / 2.0;
      return new Delay(sorted.size(), median / 1e6, sorted.getLast() / 1e6);
    }
  }
}
