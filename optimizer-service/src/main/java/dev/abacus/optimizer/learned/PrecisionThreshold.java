package dev.abacus.optimizer.learned;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds the lowest confidence at which decisions reach a target precision.
 *
 * <pre>
 *  highest confidence ──────────────────► lowest
 *  ✓ ✓ ✓ ✓ ✓ ✓ … ✓ ✓ ✗ ✓ ✓ … ✓ ✗ ✓ ✗ ✗ ✓
 *                            └ from here on the precision is not shown to reach the target
 * </pre>
 *
 * <p>Tests ever longer prefixes of the decisions, sorted by confidence, with {@link BinomialBound}.
 * The result is the last prefix that passes before the first that fails. Stopping at the first
 * failure keeps the error probability near that of a single test (fixed-sequence testing, as in
 * Angelopoulos et al. 2021, <em>Learn then Test</em>).
 */
final class PrecisionThreshold {

  /** Above every probability and cosine similarity: no decision is accepted. */
  static final double NEVER = 2;

  /** Growth factor of the prefixes, which limits the number of tests. */
  private static final double GROWTH = 1.1;

  /**
   * A decision with a known outcome.
   *
   * @param confidence probability or similarity
   */
  record Scored(double confidence, boolean right) {}

  private PrecisionThreshold() {}

  /**
   * Finds the threshold, or {@link #NEVER}.
   *
   * @param target precision, in (0, 1)
   */
  static double find(List<Scored> decisions, double target) {
    List<Scored> sorted = new ArrayList<>(decisions);
    sorted.sort(Comparator.comparingDouble(Scored::confidence).reversed());
    double threshold = NEVER;
    int right = 0;
    int look = BinomialBound.minimumTrials(target);
    for (int i = 0; i < sorted.size(); i++) {
      right += sorted.get(i).right() ? 1 : 0;
      int seen = i + 1;
      boolean last = seen == sorted.size();
      boolean tied = !last && sorted.get(seen).confidence() == sorted.get(i).confidence();
      if (tied || (seen < look && !last)) {
        continue;
      }
      if (BinomialBound.reaches(right, seen, target)) {
        threshold = sorted.get(i).confidence();
      } else if (threshold != NEVER) {
        return threshold;
      }
      look = Math.max(seen + 1, (int) Math.ceil(seen * GROWTH));
    }
    return threshold;
  }
}
