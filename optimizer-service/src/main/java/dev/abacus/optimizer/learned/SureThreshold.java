package dev.abacus.optimizer.learned;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds how sure one must be to be right often enough.
 *
 * <pre>
 *  surest ──────────────────────────────► least sure
 *  ✓ ✓ ✓ ✓ ✓ ✓ … ✓ ✓ ✗ ✓ ✓ … ✓ ✗ ✓ ✗ ✗ ✓
 *                            └ from here on the share of right ones is not shown to reach the target
 * </pre>
 *
 * <p>Looks at ever longer runs from the surest on. The first whose share of right answers is shown
 * to reach the target ({@link Proportions}) begins, the last before one that is not ends. Stopping
 * at the first that fails keeps the risk near that of a single look (fixed-sequence testing, as in
 * Angelopoulos et al. 2021, <em>Learn then Test</em>); taking the longest of all that pass would
 * not.
 */
final class SureThreshold {

  /** Above every probability and cosine: never sure enough. */
  static final double NEVER = 2;

  /** Each run is longer by this factor: few looks, and none at a single example more. */
  private static final double GROWTH = 1.1;

  /**
   * A decision that was checked.
   *
   * @param sureness higher is surer
   */
  record Checked(double sureness, boolean right) {}

  private SureThreshold() {}

  /**
   * The least sureness that suffices, or {@link #NEVER}.
   *
   * @param target share of right decisions, in (0, 1)
   */
  static double find(List<Checked> decisions, double target) {
    List<Checked> sorted = new ArrayList<>(decisions);
    sorted.sort(Comparator.comparingDouble(Checked::sureness).reversed());
    double threshold = NEVER;
    int right = 0;
    int look = Proportions.fewest(target);
    for (int i = 0; i < sorted.size(); i++) {
      right += sorted.get(i).right() ? 1 : 0;
      int seen = i + 1;
      boolean last = seen == sorted.size();
      boolean tied = !last && sorted.get(seen).sureness() == sorted.get(i).sureness();
      if (tied || (seen < look && !last)) {
        continue;
      }
      if (Proportions.shown(right, seen, target)) {
        threshold = sorted.get(i).sureness();
      } else if (threshold != NEVER) {
        return threshold;
      }
      look = Math.max(seen + 1, (int) Math.ceil(seen * GROWTH));
    }
    return threshold;
  }
}
