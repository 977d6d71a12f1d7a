package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.cost.Candidate;
import dev.abacus.optimizer.cost.CostModel;
import dev.abacus.optimizer.cost.OperatorEstimate;
import dev.abacus.optimizer.memo.PhysicalExpression;
import dev.abacus.optimizer.memo.Subplan;
import dev.abacus.optimizer.pareto.Metric;
import dev.abacus.optimizer.pareto.MetricVector;
import dev.abacus.optimizer.pareto.ParetoFrontier;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The search over implementations that are known by name alone: what {@link PlanSearch} does, and
 * what the {@code search} command needs.
 *
 * <p>Pareto-Cascades (paper, algorithm 5): search the plan space, read the Pareto-optimal plans of
 * the final group off the back-pointers, select. Where the bounds leave no plan, it searches again
 * without them, since a plan is to be had all the same.
 */
public final class NamedPlanSearch {

  private final Program program;
  private final Map<String, List<Candidate>> candidates;
  private final Objective objective;
  private final SearchOptions options;
  private final Set<Metric> frontierMetrics;

  private NamedPlanSearch(
      Program program,
      Map<String, List<Candidate>> candidates,
      Objective objective,
      SearchOptions options) {
    this.program = program;
    this.candidates = candidates;
    this.objective = objective;
    this.options = options;
    Set<Dimension> dimensions = EnumSet.copyOf(objective.dimensions());
    dimensions.addAll(options.frontierDimensions());
    this.frontierMetrics = Metric.of(dimensions);
  }

  /**
   * Searches all legal orders of the program's operators and all candidates; pins have no effect
   * here.
   *
   * @param candidates by logical operator id; ids unique within an operator
   * @throws NoImplementationException if an operator has no candidate
   */
  public static NamedSearchResult search(
      Program program,
      Map<String, List<Candidate>> candidates,
      Objective objective,
      SearchOptions options) {
    for (LogicalOperator operator : program.operators()) {
      if (candidates.getOrDefault(operator.id(), List.of()).isEmpty()) {
        throw new NoImplementationException(
            operator.id(), "there is neither an observation nor a prior of any");
      }
    }
    return new NamedPlanSearch(program, candidates, objective, options).search();
  }

  private NamedSearchResult search() {
    long start = System.nanoTime();
    boolean bounded = options.algorithm() == Algorithm.PARETO && !options.frontierBeyondBounds();
    Search search = run(bounded);
    if (search.root().subplans().isEmpty()) {
      search = run(false);
    }
    List<Found> frontier = frontier(search.root().subplans());
    NamedPlan chosen = PlanSelection.of(objective, options.infeasiblePolicy()).choose(frontier);
    Map<Dimension, Double> violations = PlanSelection.violations(objective, chosen.estimate());
    return new NamedSearchResult(
        chosen,
        violations.isEmpty(),
        frontier.stream().map(Found::plan).toList(),
        search.statistics((System.nanoTime() - start) / 1e6),
        violations);
  }

  private Search run(boolean bounded) {
    Search search =
        new Search(
            program,
            SurvivorRule.of(program, candidates, objective, options, frontierMetrics, bounded));
    search.run();
    return search;
  }

  /** The plans of the final group, compared once more by their exact estimates. */
  private List<Found> frontier(List<Subplan> subplans) {
    Map<String, Map<String, OperatorEstimate>> estimates = new HashMap<>();
    candidates.forEach((operator, list) ->
        list.forEach(candidate ->
            estimates
                .computeIfAbsent(operator, _ -> new HashMap<>())
                .put(candidate.id(), candidate.estimate())));
    List<Found> found = subplans.stream().map(subplan -> found(subplan, estimates)).toList();
    List<Found> frontier =
        new ArrayList<>(
            ParetoFrontier.of(
                    found,
                    plan -> MetricVector.of(plan.plan().estimate()),
                    frontierMetrics,
                    Comparator.comparing(Found::subplan, Subplan.ORDER))
                .items());
    frontier.sort(PlanSelection.bestTarget(objective));
    return frontier;
  }

  private Found found(Subplan subplan, Map<String, Map<String, OperatorEstimate>> estimates) {
    List<NamedPlan.Step> steps = new ArrayList<>();
    List<OperatorEstimate> perStep = new ArrayList<>();
    for (PhysicalExpression expression : subplan.expressions()) {
      LogicalOperator operator = expression.logical().operator();
      steps.add(new NamedPlan.Step(operator, expression.physical()));
      perStep.add(estimates.getOrDefault(operator.id(), Map.of()).get(expression.physical()));
    }
    CostModel model = options.costModel();
    return new Found(subplan, new NamedPlan(steps, model.estimate(perStep)));
  }

  /** A final subplan and the plan read off it. */
  record Found(Subplan subplan, NamedPlan plan) {}
}
