package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.memo.Subplan;
import dev.abacus.optimizer.memo.Survivors;
import dev.abacus.optimizer.pareto.Metric;
import dev.abacus.optimizer.pareto.MetricVector;
import dev.abacus.optimizer.pareto.ParetoFrontier;
import java.util.List;
import java.util.Set;

/** All subplans of a group that may become feasible and that none dominates. */
final class ParetoSurvivors implements Survivors {

  private final Allowance allowance;
  private final ParetoFrontier<Subplan> frontier;

  ParetoSurvivors(Set<Metric> metrics, Allowance allowance) {
    this.allowance = allowance;
    this.frontier = new ParetoFrontier<>(metrics, Subplan.ORDER);
  }

  @Override
  public boolean mayTake(MetricVector metrics) {
    return allowance.admits(metrics) && !frontier.dominates(metrics.rounded());
  }

  @Override
  public void offer(Subplan subplan) {
    if (allowance.admits(subplan.metrics())) {
      frontier.insert(subplan.rounded(), subplan);
    }
  }

  @Override
  public List<Subplan> subplans() {
    return frontier.items();
  }
}
