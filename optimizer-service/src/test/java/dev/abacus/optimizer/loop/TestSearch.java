package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.cost.CostModel;
import dev.abacus.optimizer.cost.Estimates;
import dev.abacus.optimizer.pareto.Metric;
import dev.abacus.optimizer.pareto.MetricVector;
import dev.abacus.optimizer.pareto.ParetoFrontier;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All combinations in the order written. */
final class TestSearch {

  private TestSearch() {}

  static PlanFinder.Found find(Program program, Estimates estimates) {
    List<List<PlanStep>> all = new ArrayList<>(List.of(List.of()));
    for (LogicalOperator operator : program.operators()) {
      List<List<PlanStep>> longer = new ArrayList<>();
      for (List<PlanStep> steps : all) {
        estimates
            .of(operator)
            .keySet()
            .forEach(
                physical -> {
                  List<PlanStep> more = new ArrayList<>(steps);
                  more.add(new PlanStep(operator, physical));
                  longer.add(more);
                });
      }
      all = longer;
    }
    Objective objective = program.objective();
    ParetoFrontier<PlanChoice> frontier =
        new ParetoFrontier<>(
            Metric.of(objective.dimensions()), Comparator.comparing(PlanChoice::signature));
    for (List<PlanStep> steps : all) {
      PlanChoice choice =
          new PlanChoice(steps, CostModel.SELECTIVITY.estimate(steps, estimates));
      frontier.insert(MetricVector.of(choice.estimate()), choice);
    }
    List<PlanChoice> feasible =
        frontier.items().stream().filter(choice -> meets(choice, objective)).toList();
    Comparator<PlanChoice> order =
        (a, b) -> {
          double one = a.estimate().get(objective.target());
          double other = b.estimate().get(objective.target());
          return objective.target().better(one, other) ? -1 : one == other ? 0 : 1;
        };
    PlanChoice chosen =
        (feasible.isEmpty() ? frontier.items() : feasible).stream().min(order).orElseThrow();
    return new PlanFinder.Found(chosen, !feasible.isEmpty(), frontier.items());
  }

  private static boolean meets(PlanChoice choice, Objective objective) {
    return objective.bounds().stream()
        .allMatch(bound -> bound.holds(choice.estimate().get(bound.dimension())));
  }
}
