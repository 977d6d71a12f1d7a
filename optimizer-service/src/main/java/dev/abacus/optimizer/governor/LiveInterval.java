package dev.abacus.optimizer.governor;

import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.QualityCounts;

/**
 * Where the mean of live documents lies with 99 % confidence, taking many values to be near to
 * normal.
 */
record LiveInterval(double low, double high) {

  private static final double Z = 2.576;

  static LiveInterval ofCost(EpochCounts counts) {
    return of(counts.documents(), counts.cost(), counts.costSquares());
  }

  static LiveInterval ofLatency(EpochCounts counts) {
    return of(counts.documents(), counts.latency(), counts.latencySquares());
  }

  static LiveInterval ofQuality(QualityCounts counts) {
    return of(counts.judged(), counts.quality(), counts.qualitySquares());
  }

  private static LiveInterval of(long n, double sum, double squares) {
    if (n < 2) {
      return new LiveInterval(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }
    double mean = sum / n;
    double variance = Math.max(0, (squares - n * mean * mean) / (n - 1));
    double half = Z * Math.sqrt(variance / n);
    return new LiveInterval(mean - half, mean + half);
  }

  /** Of a share of failures (Wilson's interval, which holds for few failures too). */
  static LiveInterval ofFailures(EpochCounts counts) {
    double n = counts.documents();
    if (n == 0) {
      return new LiveInterval(0, 1);
    }
    double share = counts.failures() / n;
    double centre = share + Z * Z / (2 * n);
    double half = Z * Math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n));
    double scale = 1 + Z * Z / n;
    return new LiveInterval((centre - half) / scale, (centre + half) / scale);
  }
}
