package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.memo.CrossProduct;
import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.GroupFrontier;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps the single best subplan of a group. */
final class SinglePlanFrontier implements GroupFrontier {

  private final Comparator<Subplan> order;
  private @Nullable Subplan best;

  private SinglePlanFrontier(Comparator<Subplan> order) {
    this.order = order;
  }

  /** Best by the target ({@link Algorithm#CASCADES}). */
  static SinglePlanFrontier byTarget(Objective objective) {
    return new SinglePlanFrontier(target(objective.target()).thenComparing(Subplan.ORDER));
  }

  /** Best by the target among those that break no bound, if any ({@link Algorithm#GREEDY}). */
  static SinglePlanFrontier feasibleFirst(Objective objective) {
    BoundPruning bounds = BoundPruning.ofWholePlans(objective.bounds());
    return new SinglePlanFrontier(
        Comparator.comparing((Subplan subplan) -> !bounds.keeps(subplan.metrics()))
            .thenComparing(target(objective.target()))
            .thenComparing(Subplan.ORDER));
  }

  private static Comparator<Subplan> target(Dimension target) {
    return switch (target) {
      case QUALITY -> Comparator.comparingDouble(subplan -> -subplan.rounded().quality());
      case COST -> Comparator.comparingDouble(subplan -> subplan.rounded().cost());
      case LATENCY -> Comparator.comparingDouble(subplan -> subplan.rounded().latency());
    };
  }

  @Override
  public void offer(Subplan subplan) {
    if (best == null || order.compare(subplan, best) < 0) {
      best = subplan;
    }
  }

  @Override
  public void offer(CrossProduct product) {
    for (Subplan input : product.inputs()) {
      for (PhysicalExpression top : product.implementations()) {
        offer(Subplan.of(top, input, CostModel.after(input.metrics(), top.perInput())));
      }
    }
  }

  @Override
  public void offer(Group.Sides pairs) {
    for (Subplan left : pairs.left().subplans()) {
      for (Subplan right : pairs.right().subplans()) {
        offer(Subplan.sides(left, right, CostModel.beside(left.metrics(), right.metrics())));
      }
    }
  }

  /** Always 0: the greedy and classic algorithms make no statement about their error. */
  @Override
  public double error() {
    return 0;
  }

  @Override
  public List<Subplan> subplans() {
    return best == null ? List.of() : List.of(best);
  }
}
