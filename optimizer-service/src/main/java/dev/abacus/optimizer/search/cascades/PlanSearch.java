package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.Estimates;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Final plan selection (paper, section 2.2 and algorithm 1, line 10). */
public final class PlanSearch {

  private PlanSearch() {}

  /**
   * Searches all legal orders of the program's operators and all implementations with estimates.
   *
   * @throws NoImplementationException if no implementation of an operator, or not the one that it
   *     is pinned to, has an estimate
   * @throws IllegalArgumentException if a pin names no operator of the program
   */
  public static SearchResult search(
      Program program, Estimates estimates, Objective objective, SearchOptions options) {
    Map<String, List<Candidate>> candidates = new HashMap<>();
    Map<String, Map<String, PhysicalOperator>> byId = new HashMap<>();
    options.pins().keySet().forEach(pinned -> requireOperator(program, pinned));
    for (LogicalOperator operator : program.operators()) {
      Map<PhysicalOperator, OperatorEstimate> known = eligible(operator, estimates, options);
      Map<String, PhysicalOperator> ids = new HashMap<>();
      known.keySet().forEach(physical -> ids.put(physical.id(), physical));
      byId.put(operator.id(), ids);
      candidates.put(
          operator.id(),
          known.entrySet().stream()
              .map(entry -> new Candidate(entry.getKey().id(), entry.getValue()))
              .toList());
    }
    NamedSearchResult found = NamedPlanSearch.search(program, candidates, objective, options);
    return new SearchResult(
        choice(found.chosen(), byId),
        found.feasible(),
        found.frontier().stream().map(plan -> choice(plan, byId)).toList(),
        found.statistics(),
        found.violations());
  }

  private static Map<PhysicalOperator, OperatorEstimate> eligible(
      LogicalOperator operator, Estimates estimates, SearchOptions options) {
    PhysicalOperator pinned = options.pins().get(operator.id());
    if (pinned == null) {
      return estimates.of(operator);
    }
    OperatorEstimate estimate = estimates.find(operator, pinned);
    if (estimate == null) {
      throw new NoImplementationException(
          operator.id(), "it is pinned to " + pinned.id() + ", of which nothing is known");
    }
    return Map.of(pinned, estimate);
  }

  private static void requireOperator(Program program, String id) {
    if (program.operator(id) == null) {
      throw new IllegalArgumentException(
          "the pinned operator '%s' is not in program '%s'".formatted(id, program.name()));
    }
  }

  private static PlanChoice choice(
      NamedPlan plan, Map<String, Map<String, PhysicalOperator>> byId) {
    List<PlanStep> steps =
        plan.steps().stream()
            .map(step ->
                new PlanStep(
                    step.logical(),
                    Objects.requireNonNull(
                        Objects.requireNonNull(byId.get(step.logical().id()))
                            .get(step.physical()))))
            .toList();
    return new PlanChoice(steps, plan.estimate());
  }
}
