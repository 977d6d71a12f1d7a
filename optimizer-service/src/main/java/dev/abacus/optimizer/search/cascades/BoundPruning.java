package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.pareto.MetricVector;
import dev.abacus.schemas.objective.Bound;
import java.util.List;

/**
 * What the bounds leave to the subplans of a group. Cost and latency only grow on the way up and
 * quality only falls, and no less than the best implementations of the operators still to come make
 * them; so a subplan that breaks a bound even with these can be part of no feasible plan. (Another
 * order of the same operators is another subplan and judged for itself.)
 *
 * @param leastQuality bound on quality; 0 for none
 * @param mostCost bound on cost, USD; infinite for none
 * @param mostLatency bound on latency, seconds; infinite for none
 * @param quality best product of the qualities still to come
 * @param cost least sum of the costs still to come, USD per document that leaves the group
 * @param latency least sum of the latencies still to come, seconds
 */
record BoundPruning(
    double leastQuality,
    double mostCost,
    double mostLatency,
    double quality,
    double cost,
    double latency)
    implements Pruning {

  /** Far above what rounding does to a sum, far below what matters. */
  private static final double SLACK = 1e-9;

  /** Nothing to come: what the bounds say of the subplan as it is. */
  static BoundPruning asItIs(List<Bound> bounds) {
    return of(bounds, List.of());
  }

  /** The allowance of a group, given what its missing operators do with one input at best. */
  static BoundPruning of(List<Bound> bounds, List<MetricVector> missing) {
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
    double leastQuality = 0;
    double mostCost = Double.POSITIVE_INFINITY;
    double mostLatency = Double.POSITIVE_INFINITY;
    for (Bound bound : bounds) {
      switch (bound.dimension()) {
        case QUALITY -> leastQuality = bound.limit() * (1 - SLACK);
        case COST -> mostCost = bound.limit() * (1 + SLACK);
        case LATENCY -> mostLatency = bound.limit() * (1 + SLACK);
      }
    }
    return new BoundPruning(leastQuality, mostCost, mostLatency, quality, cost * reaching, latency);
  }

  @Override
  public boolean admits(MetricVector subplan) {
    return subplan.quality() * quality >= leastQuality
        && subplan.cost() + subplan.cardinality() * cost <= mostCost
        && subplan.latency() + latency <= mostLatency;
  }

  @Override
  public Screen screen(List<MetricVector> perInput) {
    double[] qualities = new double[perInput.size()];
    double[] costs = new double[perInput.size()];
    double[] latencies = new double[perInput.size()];
    for (int i = 0; i < qualities.length; i++) {
      MetricVector one = perInput.get(i);
      qualities[i] = one.quality() * quality;
      costs[i] = one.cost() + one.cardinality() * cost;
      latencies[i] = one.latency() + latency;
    }
    return new Screen() {
      private MetricVector subplan = MetricVector.SOURCE;

      @Override
      public void over(MetricVector next) {
        subplan = next;
      }

      @Override
      public boolean admits(int i) {
        return subplan.quality() * qualities[i] >= leastQuality
            && subplan.cost() + subplan.cardinality() * costs[i] <= mostCost
            && subplan.latency() + latencies[i] <= mostLatency;
      }

      @Override
      public int admitted(int[] into) {
        int count = 0;
        for (int i = 0; i < qualities.length; i++) {
          if (admits(i)) {
            into[count++] = i;
          }
        }
        return count;
      }
    };
  }
}
