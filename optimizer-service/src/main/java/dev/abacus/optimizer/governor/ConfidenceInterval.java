package dev.abacus.optimizer.governor;

import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.QualityCounts;

/** The 99 % confidence interval of a mean over live documents, by the normal approximation. */
record ConfidenceInterval(double low, double high) {

  private static final double Z = 2.576;

  static ConfidenceInterval ofCost(EpochCounts counts) {
    return of(counts.documents(), counts.cost(), counts.costSquares());
  }

  static ConfidenceInterval ofLatency(EpochCounts counts) {
    return of(counts.documents(), counts.latency(), counts.latencySquares());
  }

  static ConfidenceInterval ofQuality(QualityCounts counts) {
    return of(counts.judged(), counts.quality(), counts.qualitySquares());
  }

  private static ConfidenceInterval of(long n, double sum, double squares) {
    if (n < 2) {
      return new ConfidenceInterval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }
    double mean = sum / n;
    double variance = Math.max(0, (squares - n * mean * mean) / (n - 1));
    double half = Z * Math.sqrt(variance / n);
    return new ConfidenceInterval(mean - half, mean + half);
  }

  /** The interval of a failure rate (Wilson score interval, valid also for few failures). */
  static ConfidenceInterval ofFailures(EpochCounts counts) {
    double n = counts.documents();
    if (n == 0) {
      return new ConfidenceInterval(0, 1);
    }
    double share = counts.failures() / n;
    double centre = share + Z * Z / (2 * n);
    double half = Z * Math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n));
    double scale = 1 + Z * Z / n;
    return new ConfidenceInterval((centre - half) / scale, (centre + half) / scale);
  }
}
