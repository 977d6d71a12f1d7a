package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.Bound;
import java.util.List;

/**
 * Drops subplans that cannot meet the bounds of the objective (paper, section 3.2). From a subplan
 * to a complete plan, cost and latency only grow and quality only falls, at least by what the best
 * implementations of the missing operators add. So a subplan that breaks a bound even with these is
 * part of no feasible plan.
 *
 * @param leastQuality bound on quality; 0 if none
 * @param mostCost bound on cost, USD; infinite if none
 * @param mostLatency bound on latency, seconds; infinite if none
 * @param quality largest possible product of the missing operators' qualities
 * @param cost least possible sum of the missing operators' costs, USD per document of the group
 * @param latency least possible sum of the missing operators' latencies, seconds
 */
record BoundPruning(
    double leastQuality,
    double mostCost,
    double mostLatency,
    double quality,
    double cost,
    double latency)
    implements Pruning {

  /** Relative tolerance: far above rounding errors, far below any relevant difference. */
  private static final double SLACK = 1e-9;

  /** The pruning of a group by bounds and by the best that the missing operators may do. */
  static BoundPruning of(List<Bound> bounds, double quality, double cost, double latency) {
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
    return new BoundPruning(leastQuality, mostCost, mostLatency, quality, cost, latency);
  }

  /**
   * The pruning of a group that is a part of the plan.
   *
   * @param reaching the least number of documents per source document that reach the part
   */
  BoundPruning ofPart(double reaching) {
    double most = reaching > 0 ? mostCost / reaching : Double.POSITIVE_INFINITY;
    return new BoundPruning(leastQuality, most, mostLatency, quality, 0, 0);
  }

  @Override
  public Check check(List<OperatorEstimate> perInput) {
    return new Check() {
      private OperatorEstimate subplan = OperatorEstimate.RELATIONAL;

      @Override
      public void next(OperatorEstimate next) {
        subplan = next;
      }

      @Override
      public boolean keeps(int i) {
        OperatorEstimate one = perInput.get(i);
        return subplan.quality() * (one.quality() * quality) >= leastQuality
            && subplan.cost() + subplan.selectivity() * (one.cost() + one.selectivity() * cost)
                <= mostCost
            && subplan.latency() + (one.latency() + latency) <= mostLatency;
      }
    };
  }
}
