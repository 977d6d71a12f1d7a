package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.pareto.MetricVector;
import dev.abacus.schemas.objective.Bound;
import java.util.List;

/**
 * What the bounds leave to the subplans of a group. Cost and latency only grow on the way up and
 * quality only falls, and no less than the best implementations of the operators still to come make
 * them; so a subplan that breaks a bound even with these can be part of no feasible plan. (Another
 * order of the same operators is another subplan and judged for itself.)
 *
 * @param bounds those of the objective
 * @param quality best product of the qualities still to come
 * @param cost least sum of the costs still to come, USD per document that leaves the group
 * @param latency least sum of the latencies still to come, seconds
 */
record Allowance(List<Bound> bounds, double quality, double cost, double latency) {

  /** Far above what rounding does to a sum, far below what matters. */
  private static final double SLACK = 1e-9;

  /** Nothing to come: what the bounds say of the subplan as it is. */
  static Allowance asItIs(List<Bound> bounds) {
    return new Allowance(bounds, 1, 0, 0);
  }

  /** The allowance of a group, given what its missing operators do with one input at best. */
  static Allowance of(List<Bound> bounds, List<MetricVector> missing) {
    double quality = 1;
    double cost = 0;
    double latency = 0;
    double reaching = 1;
    for (MetricVector best : missing) {
      quality *= best.quality();
      cost += best.cost();
      latency += best.latency();
      reaching *= Math.min(1, best.cardinality());
    }
    return new Allowance(bounds, quality, cost * reaching, latency);
  }

  /** Whether a subplan can still be part of a plan that meets every bound. */
  boolean admits(MetricVector subplan) {
    for (Bound bound : bounds) {
      boolean within =
          switch (bound.dimension()) {
            case QUALITY -> subplan.quality() * quality >= bound.limit() * (1 - SLACK);
            case COST ->
                subplan.cost() + subplan.cardinality() * cost <= bound.limit() * (1 + SLACK);
            case LATENCY -> subplan.latency() + latency <= bound.limit() * (1 + SLACK);
          };
      if (!within) {
        return false;
      }
    }
    return true;
  }
}
