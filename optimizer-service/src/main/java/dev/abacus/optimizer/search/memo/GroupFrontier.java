package dev.abacus.optimizer.search.memo;

import dev.abacus.optimizer.search.cost.CostModel;
import java.util.List;

/** The subplans of a group that the search combines with further operators. */
public interface GroupFrontier {

  /**
   * Adds a subplan, unless a kept one makes it unnecessary, and drops those it makes unnecessary.
   */
  void offer(Subplan subplan);

  /** Offers every subplan of a cross product. */
  default void offer(CrossProduct product) {
    for (Subplan input : product.inputs()) {
      for (PhysicalExpression top : product.implementations()) {
        offer(Subplan.of(top, input, CostModel.after(input.metrics(), top.perInput())));
      }
    }
  }

  /** Offers each pair of subplans of two sides. */
  default void offer(GroupFrontier lefts, GroupFrontier rights) {
    for (Subplan left : lefts.subplans()) {
      for (Subplan right : rights.subplans()) {
        offer(Subplan.sides(left, right, CostModel.beside(left.metrics(), right.metrics())));
      }
    }
  }

  /** The kept subplans. */
  List<Subplan> subplans();

  /**
   * The relative approximation error: for every subplan that was dropped because of a size limit, a
   * kept one is worse by at most this factor − 1 in each metric. 0 if the frontier is exact, or if
   * its algorithm makes no statement about it.
   */
  default double error() {
    return 0;
  }
}
