package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.Memo;
import dev.abacus.optimizer.search.memo.OrderSpace;
import dev.abacus.optimizer.search.memo.ProgramGraph;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.optimizer.search.pareto.ParetoFrontier;
import dev.abacus.optimizer.search.rule.transformation.EquivalentPrograms;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The search over implementations that are given by id and estimate; {@link PlanSearch} adds
 * physical operators, and the {@code search} command uses it directly.
 *
 * <p>Pareto-Cascades (paper, algorithm 5): search the plan space, read the Pareto-optimal plans of
 * the final group, and select one. If no plan meets the bounds, it searches again without them, so
 * that a plan is always returned.
 *
 * <p>Guarantees ({@link SearchStatistics}): the estimate of the chosen plan meets every bound, and
 * no feasible plan is better by more than {@code epsilon}. While the frontiers of all groups stay
 * within their limits, {@code epsilon} is 0 and the frontier is exact. Otherwise the frontier is
 * thinned, and {@link BestPlanSearch} finds the best feasible plan. Every plan that meets the
 * bounds by a margin of {@code frontierEpsilon} then has a plan on the frontier that is at most
 * {@code frontierEpsilon} worse in each dimension. If no plan is feasible, {@link
 * InfeasiblePolicy#LEAST_VIOLATION} selects from that frontier.
 */
public final class NamedPlanSearch {

  /** With more groups, the greedy and classic algorithms search one order of operators. */
  private static final int MOST_GROUPS = 20_000;

  private final EquivalentPrograms equivalent;
  private final ProgramGraph graph;
  private final Map<String, List<Candidate>> candidates;
  private final Objective objective;
  private final SearchOptions options;
  private final int maxSubplans;
  private final Set<Metric> frontierMetrics;

  private NamedPlanSearch(
      EquivalentPrograms equivalent,
      Map<String, List<Candidate>> candidates,
      Objective objective,
      SearchOptions options,
      int maxSubplans) {
    this.equivalent = equivalent;
    this.graph = ProgramGraph.of(equivalent.programs());
    this.candidates = candidates;
    this.objective = objective;
    this.options = options;
    this.maxSubplans = maxSubplans;
    Set<Dimension> dimensions = EnumSet.copyOf(objective.dimensions());
    dimensions.addAll(options.frontierDimensions());
    this.frontierMetrics = Metric.of(dimensions);
  }

  /**
   * Searches all legal orders of the program's operators and all candidates; ignores pins.
   *
   * @param candidates by logical operator id; candidate ids are unique within an operator
   * @throws IllegalArgumentException if an operator has no candidate
   */
  public static NamedSearchResult search(
      Program program,
      Map<String, List<Candidate>> candidates,
      Objective objective,
      SearchOptions options) {
    return search(
        EquivalentPrograms.of(program), candidates, objective, options, Integer.MAX_VALUE);
  }

  /**
   * The search over given programs, to test what they and the limit of a group are worth.
   *
   * @param maxSubplans the largest number of subplans per group
   */
  static NamedSearchResult search(
      EquivalentPrograms equivalent,
      Map<String, List<Candidate>> candidates,
      Objective objective,
      SearchOptions options,
      int maxSubplans) {
    for (LogicalOperator operator : equivalent.programs().getFirst().operators()) {
      if (operator.isSemantic() && candidates.getOrDefault(operator.id(), List.of()).isEmpty()) {
        throw new IllegalArgumentException(
            "operator '%s' has no eligible implementation: there is neither an observation nor a prior of any"
                .formatted(operator.id()));
      }
    }
    long start = System.nanoTime();
    NamedPlanSearch search =
        new NamedPlanSearch(equivalent, candidates, objective, options, maxSubplans);
    Outcome outcome = options.algorithm() == Algorithm.PARETO ? search.pareto() : search.single();
    return search.result(outcome, start);
  }

  private NamedSearchResult result(Outcome outcome, long start) {
    PlanReader reader = new PlanReader(graph);
    List<Subplan> all = graph.isNested() ? outcome.plans() : asWritten(outcome.plans(), reader);
    List<Subplan> feasible =
        all.stream().filter(plan -> PlanSelection.isFeasible(objective, plan)).toList();
    List<Subplan> frontier = frontier(feasible.isEmpty() ? all : feasible);
    Group root = outcome.frontiers().memo().root();
    NamedPlan chosen =
        reader.read(
            root, new PlanSelection(objective, options.infeasiblePolicy()).choose(frontier));
    List<NamedPlan> plans = frontier.stream().map(plan -> reader.read(root, plan)).toList();
    Map<Dimension, Double> violations = PlanSelection.violations(objective, chosen.estimate());
    return new NamedSearchResult(
        chosen, violations.isEmpty(), plans, statistics(outcome, start), violations);
  }

  private SearchStatistics statistics(Outcome outcome, long start) {
    Memo memo = outcome.frontiers().memo();
    return new SearchStatistics(
        memo.groups().size(),
        memo.expressions(),
        memo.applications(),
        outcome.frontiers().largest(),
        outcome.epsilon(),
        outcome.frontierEpsilon(),
        outcome.allOrders() && equivalent.complete() && graph.isNested(),
        (System.nanoTime() - start) / 1e6);
  }

  /**
   * The plans of a program that is not nested. They run as written in one of the equivalent
   * programs, whatever the order of the search, and their metrics follow from the inputs there.
   */
  private List<Subplan> asWritten(List<Subplan> plans, PlanReader reader) {
    List<Subplan> written = new ArrayList<>();
    for (Subplan plan : plans) {
      Map<String, OperatorEstimate> estimates = new HashMap<>();
      PlanReader.chosen(plan)
          .forEach((operator, physical) ->
              estimates.put(operator, candidate(operator, physical).estimate()));
      for (Program program : equivalent.programs()) {
        Estimate estimate = options.costModel().estimate(program.operators(), estimates);
        written.add(reader.written(plan.with(OperatorEstimate.of(estimate)), program));
      }
    }
    return written;
  }

  private Candidate candidate(String operator, String physical) {
    return candidates.getOrDefault(operator, List.of()).stream()
        .filter(candidate -> candidate.id().equals(physical))
        .findFirst()
        .orElseThrow();
  }

  /** Final plans with the guarantees of the search. */
  private record Outcome(
      List<Subplan> plans,
      CascadesSearch.Frontiers frontiers,
      double epsilon,
      double frontierEpsilon,
      boolean allOrders) {}

  private Outcome single() {
    CascadesSearch search =
        CascadesSearch.of(
            problem(candidates, frontierMetrics, false), OrderSpace.Extent.ALL, MOST_GROUPS);
    CascadesSearch.Frontiers frontiers =
        search.implement(_ ->
            options.algorithm() == Algorithm.GREEDY
                ? SinglePlanFrontier.feasibleFirst(objective)
                : SinglePlanFrontier.byTarget(objective));
    return new Outcome(frontiers.whole().subplans(), frontiers, 0, 0, search.allOrders());
  }

  private Outcome pareto() {
    ParetoSearch pareto = ParetoSearch.of(problem(candidates, frontierMetrics, true), maxSubplans);
    BestPlanSearch best = new BestPlanSearch(pareto, objective);
    CascadesSearch.Frontiers frontiers = pareto.frontiers(objective.bounds());
    BestPlanSearch.Answer answer = best.among(frontiers.whole());
    if (answer.epsilon(objective.target()) > 0) {
      answer = best.search(answer.plan() == null ? feasible() : answer.plan());
    }
    if (answer.plan() == null) {
      // No plan is feasible: the policy for infeasible objectives selects from all plans.
      frontiers = pareto.frontiers(List.of());
      best = new BestPlanSearch(pareto, new Objective(objective.target(), List.of()));
      answer = best.among(frontiers.whole());
      if (answer.epsilon(objective.target()) > 0) {
        answer = best.search(answer.plan());
      }
    }
    List<Subplan> plans = new ArrayList<>(frontiers.whole().subplans());
    if (answer.plan() != null) {
      plans.add(answer.plan());
      if (!pareto.allOrders()) {
        plans.addAll(reordered(answer.plan()));
      }
    }
    return new Outcome(
        plans,
        frontiers,
        answer.epsilon(objective.target()),
        frontiers.whole().error(),
        pareto.allOrders());
  }

  /**
   * A plan that meets all bounds, or null: the best by one bounded dimension under the other
   * bounds, regardless of the target.
   */
  private @Nullable Subplan feasible() {
    for (Bound bound : objective.bounds()) {
      List<Bound> others = new ArrayList<>(objective.bounds());
      others.remove(bound);
      Objective extreme = new Objective(bound.dimension(), others);
      ParetoSearch pareto =
          ParetoSearch.of(problem(candidates, Metric.of(extreme.dimensions()), true), maxSubplans);
      Subplan plan = new BestPlanSearch(pareto, extreme).search(null).plan();
      if (plan != null && PlanSelection.isFeasible(objective, plan)) {
        return plan;
      }
    }
    return null;
  }

  /** The implementations of a plan in their cheapest order. */
  private List<Subplan> reordered(Subplan plan) {
    Map<String, List<Candidate>> chosen = new HashMap<>();
    PlanReader.chosen(plan)
        .forEach(
            (operator, physical) -> chosen.put(operator, List.of(candidate(operator, physical))));
    SearchProblem problem = problem(chosen, EnumSet.of(Metric.COST), true);
    return ParetoSearch.of(problem, maxSubplans).frontiers(List.of()).whole().subplans();
  }

  private SearchProblem problem(
      Map<String, List<Candidate>> from, Set<Metric> metrics, boolean pruned) {
    return SearchProblem.of(graph, from, options.costModel(), metrics, pruned);
  }

  /** The frontier of plans by their estimates, the best by the target first. */
  private List<Subplan> frontier(List<Subplan> plans) {
    Comparator<Subplan> order = PlanSelection.bestTarget(objective);
    return ParetoFrontier.<Subplan>of(
            plans,
            (plan, metric) -> OperatorEstimate.of(PlanSelection.estimate(plan)).get(metric),
            frontierMetrics,
            order)
        .stream()
        .sorted(order)
        .toList();
  }
}
