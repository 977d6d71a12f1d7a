package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cascades.PlanReader.FinalPlan;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.memo.ProgramGraph;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.optimizer.search.pareto.MetricVector;
import dev.abacus.optimizer.search.pareto.ParetoFrontier;
import dev.abacus.optimizer.search.rule.transformation.EquivalentPrograms;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

  private final Program program;
  private final ProgramGraph graph;
  private final BranchReduction branches;
  private final @Nullable PlanWiring wiring;
  private final Map<String, List<Candidate>> candidates;
  private final Objective objective;
  private final SearchOptions options;
  private final int maxSubplans;
  private final Set<Metric> frontierMetrics;

  private NamedPlanSearch(
      Program written,
      boolean moved,
      Map<String, List<Candidate>> candidates,
      Objective objective,
      SearchOptions options,
      int maxSubplans) {
    this.objective = objective;
    this.options = options;
    this.maxSubplans = maxSubplans;
    Set<Dimension> dimensions = EnumSet.copyOf(objective.dimensions());
    dimensions.addAll(options.frontierDimensions());
    this.frontierMetrics = Metric.of(dimensions);
    this.branches =
        new BranchReduction(written, candidates, options.costModel(), frontierMetrics, maxSubplans)
            .reduce();
    this.program = branches.program();
    this.graph = ProgramGraph.of(program);
    this.candidates = branches.candidates();
    boolean merges = written.operators().stream().anyMatch(Merge.class::isInstance);
    this.wiring = merges || moved ? new PlanWiring(program) : null;
  }

  /**
   * Searches all legal orders of the program's operators and all candidates; ignores pins.
   *
   * @param candidates by logical operator id; candidate ids are unique within an operator
   * @throws NoImplementationException if an operator has no candidate
   */
  public static NamedSearchResult search(
      Program program,
      Map<String, List<Candidate>> candidates,
      Objective objective,
      SearchOptions options) {
    return search(program, candidates, objective, options, Integer.MAX_VALUE);
  }

  /** A search with at most {@code maxSubplans} per group, to test the approximation. */
  static NamedSearchResult search(
      Program program,
      Map<String, List<Candidate>> candidates,
      Objective objective,
      SearchOptions options,
      int maxSubplans) {
    for (LogicalOperator operator : ProgramGraph.of(program).operators()) {
      if (candidates.getOrDefault(operator.id(), List.of()).isEmpty()) {
        throw new NoImplementationException(
            operator.id(), "there is neither an observation nor a prior of any");
      }
    }
    long start = System.nanoTime();
    EquivalentPrograms equivalent = EquivalentPrograms.of(program);
    List<FinalPlan> plans = new ArrayList<>();
    List<Outcome> outcomes = new ArrayList<>();
    NamedPlanSearch search = null;
    for (Program other : equivalent.programs()) {
      boolean moved = !other.equals(program);
      search = new NamedPlanSearch(other, moved, candidates, objective, options, maxSubplans);
      Outcome outcome = search.outcome();
      outcomes.add(outcome);
      plans.addAll(search.read(outcome));
    }
    return Objects.requireNonNull(search, "the program is equivalent to itself")
        .result(plans, statistics(outcomes, equivalent.complete(), start));
  }

  private Outcome outcome() {
    Outcome outcome = options.algorithm() == Algorithm.PARETO ? pareto() : single();
    double error = branches.error();
    boolean nested = graph.merges().isEmpty();
    return error == 0 && nested
        ? outcome
        : new Outcome(
            outcome.plans,
            outcome.search,
            Math.max(outcome.epsilon, error),
            (1 + outcome.frontierEpsilon) * (1 + error) - 1,
            outcome.allOrders && nested);
  }

  private List<FinalPlan> read(Outcome outcome) {
    return new PlanReader(graph, branches, wiring, options.costModel()).read(outcome.plans());
  }

  /** The result over the final plans of all equivalent programs. */
  private NamedSearchResult result(List<FinalPlan> all, SearchStatistics statistics) {
    List<FinalPlan> feasible =
        all.stream()
            .filter(found -> PlanSelection.violations(objective, found.plan().estimate()).isEmpty())
            .toList();
    boolean bounded = !options.frontierBeyondBounds() && !feasible.isEmpty();
    List<FinalPlan> frontier = frontier(bounded ? feasible : all);
    NamedPlan chosen = PlanSelection.of(objective, options.infeasiblePolicy()).choose(frontier);
    List<NamedPlan> plans = new ArrayList<>();
    for (FinalPlan plan : frontier) {
      plans.add(plan.plan());
    }
    Map<Dimension, Double> violations = PlanSelection.violations(objective, chosen.estimate());
    return new NamedSearchResult(chosen, violations.isEmpty(), plans, statistics, violations);
  }

  private static SearchStatistics statistics(
      List<Outcome> outcomes, boolean allPrograms, long start) {
    int groups = 0;
    int expressions = 0;
    int rules = 0;
    int subplans = 0;
    double epsilon = 0;
    double frontierEpsilon = 0;
    boolean allOrders = allPrograms;
    for (Outcome outcome : outcomes) {
      CascadesSearch search = outcome.search();
      groups += search.memo().groups();
      expressions += search.memo().expressions();
      rules += search.applications();
      for (Group group : search.groups()) {
        subplans = Math.max(subplans, group.subplans().size());
      }
      epsilon = Math.max(epsilon, outcome.epsilon());
      frontierEpsilon = Math.max(frontierEpsilon, outcome.frontierEpsilon());
      allOrders &= outcome.allOrders();
    }
    return new SearchStatistics(
        groups,
        expressions,
        rules,
        subplans,
        epsilon,
        frontierEpsilon,
        allOrders,
        (System.nanoTime() - start) / 1e6);
  }

  /** Final plans with the guarantees of the search. */
  private record Outcome(
      List<Subplan> plans,
      CascadesSearch search,
      double epsilon,
      double frontierEpsilon,
      boolean allOrders) {}

  private Outcome single() {
    SearchProblem problem = problem(objective, frontierMetrics, false);
    OrderSpace orders = problem.orders(OrderSpace.Extent.ALL);
    boolean all = orders.isWithin(MOST_GROUPS);
    CascadesSearch search =
        new CascadesSearch(
            problem,
            all ? orders : problem.orders(OrderSpace.Extent.SINGLE),
            _ ->
                options.algorithm() == Algorithm.GREEDY
                    ? SinglePlanFrontier.feasibleFirst(objective)
                    : SinglePlanFrontier.byTarget(objective));
    search.explore();
    search.implement();
    return new Outcome(search.root().subplans(), search, 0, 0, all);
  }

  private Outcome pareto() {
    ParetoSearch pareto = new ParetoSearch(problem(objective, frontierMetrics, true), maxSubplans);
    BestPlanSearch best = new BestPlanSearch(pareto, objective);
    CascadesSearch frontier =
        pareto.frontier(options.frontierBeyondBounds() ? List.of() : objective.bounds());
    BestPlanSearch.Answer answer = best.among(frontier.root());
    if (!answer.isCertain(objective.target())) {
      answer = best.search(answer.plan() == null ? feasible() : answer.plan());
    }
    if (answer.plan() == null) {
      // No plan is feasible: the policy for infeasible objectives selects from all plans.
      frontier = pareto.frontier(List.of());
      best = new BestPlanSearch(pareto, new Objective(objective.target(), List.of()));
      answer = best.among(frontier.root());
      if (!answer.isCertain(objective.target())) {
        answer = best.search(answer.plan());
      }
    }
    List<Subplan> plans = new ArrayList<>(frontier.root().subplans());
    if (answer.plan() != null) {
      plans.add(answer.plan());
      if (!pareto.allOrders()) {
        plans.addAll(reordered(answer.plan()));
      }
    }
    return new Outcome(
        plans,
        frontier,
        answer.epsilon(objective.target()),
        frontier.root().error(),
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
          new ParetoSearch(problem(extreme, Metric.of(extreme.dimensions()), true), maxSubplans);
      Subplan plan = new BestPlanSearch(pareto, extreme).search(null).plan();
      if (plan != null && BoundPruning.ofWholePlans(objective.bounds()).keeps(plan.metrics())) {
        return plan;
      }
    }
    return null;
  }

  /** The implementations of a plan in their cheapest order. */
  private List<Subplan> reordered(Subplan plan) {
    Map<String, List<Candidate>> chosen = new HashMap<>();
    for (PhysicalExpression step : plan.expressions()) {
      String operator = step.logical().operator().id();
      List<Candidate> own = candidates.getOrDefault(operator, List.of());
      chosen.put(operator, own.stream().filter(one -> one.id().equals(step.physical())).toList());
    }
    SearchProblem problem =
        SearchProblem.of(
            program,
            chosen,
            new Objective(Dimension.COST, List.of()),
            options.costModel(),
            EnumSet.of(Metric.COST),
            true);
    return new ParetoSearch(problem, maxSubplans).frontier(List.of()).root().subplans();
  }

  private SearchProblem problem(Objective aim, Set<Metric> metrics, boolean pruned) {
    return SearchProblem.of(program, candidates, aim, options.costModel(), metrics, pruned);
  }

  /** The frontier of final plans by their exact estimates, the best by the target first. */
  private List<FinalPlan> frontier(List<FinalPlan> plans) {
    Comparator<FinalPlan> order = PlanSelection.bestTarget(objective);
    ParetoFrontier<FinalPlan> frontier = new ParetoFrontier<>(frontierMetrics, order);
    for (FinalPlan plan : plans) {
      frontier.insert(MetricVector.of(plan.plan().estimate()), plan);
    }
    List<FinalPlan> sorted = new ArrayList<>(frontier.items());
    sorted.sort(order);
    return sorted;
  }
}
