package dev.abacus.optimizer.governor;

import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.plan.Range;

/** The 99 % confidence interval of a mean over live documents; infinite if it is unknown. */
record ConfidenceInterval(double low, double high) {

  /** Half the width of a 99 % interval in standard errors. */
  static final double DEVIATIONS = 2.576;

  static ConfidenceInterval ofCost(EpochCounts counts) {
    return ofMean(counts.documents(), counts.cost(), counts.costSquares());
  }

  static ConfidenceInterval ofLatency(EpochCounts counts) {
    return ofMean(counts.documents(), counts.latency(), counts.latencySquares());
  }

  private static ConfidenceInterval ofMean(long documents, double sum, double squares) {
    return documents == 0
        ? new ConfidenceInterval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY)
        : of(Range.ofMean(documents, sum, squares, DEVIATIONS));
  }

  static ConfidenceInterval of(Range range) {
    return new ConfidenceInterval(
        range.low() == null ? Double.NEGATIVE_INFINITY : range.low(),
        range.high() == null ? Double.POSITIVE_INFINITY : range.high());
  }

  /** The interval of a failure rate. */
  static ConfidenceInterval ofFailures(EpochCounts counts) {
    return counts.documents() == 0
        ? new ConfidenceInterval(0, 1)
        : of(Range.ofShare((double) counts.failures(), (double) counts.documents(), DEVIATIONS));
  }
}
