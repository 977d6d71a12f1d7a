package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.GroupFrontier;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.optimizer.search.pareto.Metric;
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
    BoundPruning bounds = BoundPruning.of(objective.bounds(), 1, 0, 0);
    return new SinglePlanFrontier(
        Comparator.comparing((Subplan subplan) -> !bounds.keeps(subplan.metrics()))
            .thenComparing(target(objective.target()))
            .thenComparing(Subplan.ORDER));
  }

  private static Comparator<Subplan> target(Dimension target) {
    Metric metric = Metric.of(target);
    return Comparator.comparingDouble(subplan -> metric.badness(subplan.rounded().get(metric)));
  }

  @Override
  public void offer(Subplan subplan) {
    if (best == null || order.compare(subplan, best) < 0) {
      best = subplan;
    }
  }

  @Override
  public List<Subplan> subplans() {
    return best == null ? List.of() : List.of(best);
  }
}
