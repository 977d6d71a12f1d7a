package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.pareto.MetricVector;
import java.util.Collection;

/**
 * What the implementations of an operator have in common when it comes to order. Of two neighbours
 * that may change places, the one with the lesser rank, cost ÷ (1 − selectivity), goes first
 * (Hellerstein, Stonebraker: Predicate migration, 1993); one that drops nothing has an infinite
 * rank, and one that costs nothing and drops nothing is as good anywhere.
 *
 * @param least of all implementations with a rank; infinite if none has one
 * @param most of all implementations with a rank; negative infinity if none has one
 * @param expands whether some implementation may put out more than it takes in
 * @param idle whether all cost nothing and put out what they take in
 */
record Rank(double least, double most, boolean expands, boolean idle) {

  /** The rank of an operator that may be carried out in any of these ways. */
  static Rank of(Collection<MetricVector> implementations) {
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    boolean expands = false;
    boolean idle = true;
    for (MetricVector one : implementations) {
      expands |= one.cardinality() > 1;
      boolean isIdle = one.cost() == 0 && one.cardinality() == 1;
      idle &= isIdle;
      if (one.cardinality() <= 1 && !isIdle) {
        double rank = one.cost() / (1 - one.cardinality());
        least = Math.min(least, rank);
        most = Math.max(most, rank);
      }
    }
    return new Rank(least, most, expands, idle);
  }

  /**
   * Whether it costs no more to have the other operator right before this one than right after it,
   * however both are carried out: {@code c + s·c' ≤ c' + s'·c} with the other's cost and
   * selectivity {@code c, s} and those of this one {@code c', s'}.
   */
  boolean goesWellAfter(Rank other) {
    return idle || (!other.expands && other.most <= least);
  }

  /** A rank to go by where ranks overlap: halfway, the infinite as it is. */
  double middle() {
    if (expands || least == Double.POSITIVE_INFINITY || most == Double.POSITIVE_INFINITY) {
      return Double.POSITIVE_INFINITY;
    }
    return (least + most) / 2;
  }
}
