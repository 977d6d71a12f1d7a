package dev.abacus.optimizer.search.memo;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import java.util.Collection;

/**
 * The rank of an operator over all of its implementations: cost ÷ (1 − selectivity). Of two
 * operators that may be exchanged, the one with the smaller rank goes first (Hellerstein and
 * Stonebraker: Predicate migration, 1993). An operator that drops nothing has an infinite rank. The
 * position of an operator that drops nothing and costs nothing does not matter.
 *
 * @param least smallest rank of an implementation; infinite if none has a rank
 * @param most largest rank of an implementation; negative infinity if none has a rank
 * @param expands whether some implementation may have more outputs than inputs
 * @param idle whether all implementations cost nothing and have one output per input
 */
public record Rank(double least, double most, boolean expands, boolean idle) {

  /** The rank of an operator with these implementations. */
  public static Rank of(Collection<OperatorEstimate> implementations) {
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    boolean expands = false;
    boolean idle = true;
    for (OperatorEstimate one : implementations) {
      expands |= one.selectivity() > 1;
      boolean isIdle = one.cost() == 0 && one.selectivity() == 1;
      idle &= isIdle;
      if (one.selectivity() <= 1 && !isIdle) {
        double rank = one.cost() / (1 - one.selectivity());
        least = Math.min(least, rank);
        most = Math.max(most, rank);
      }
    }
    return new Rank(least, most, expands, idle);
  }

  /**
   * Whether the other operator directly before this one never costs more than directly after it,
   * for any implementations of both: {@code c + s·c' ≤ c' + s'·c} with the other's cost and
   * selectivity {@code c, s} and those of this one {@code c', s'}.
   */
  boolean goesWellAfter(Rank other) {
    return idle || (!other.expands && other.most <= least);
  }

  /** The middle of the rank interval, for sorting overlapping intervals; may be infinite. */
  double middle() {
    if (expands || least == Double.POSITIVE_INFINITY || most == Double.POSITIVE_INFINITY) {
      return Double.POSITIVE_INFINITY;
    }
    return (least + most) / 2;
  }
}
