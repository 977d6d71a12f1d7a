package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.memo.ProgramGraph;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.optimizer.search.pareto.MetricVector;
import dev.abacus.optimizer.search.pareto.ParetoFrontier;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The search over implementations that are known by name alone: what {@link PlanSearch} does, and
 * what the {@code search} command needs.
 *
 * <p>Pareto-Cascades (paper, algorithm 5): search the plan space, read the Pareto-optimal plans of
 * the final group off the back-pointers, select. Where the bounds leave no plan, it searches again
 * without them, since a plan is to be had all the same.
 *
 * <p>What is promised ({@link SearchStatistics}): the chosen plan meets every bound by its own
 * estimate, and no plan that meets them all is better by more than {@code epsilon}. As long as
 * every group has room for all that nothing dominates, that is 0 and the frontier is exact.
 * Otherwise the frontier is thinned: every plan that would meet the bounds even if it were {@code
 * frontierEpsilon} worse in each dimension has one on the frontier that is no more than this worse;
 * and the best feasible plan is found by {@link BestPlanSearch}. Under {@link
 * InfeasiblePolicy#LEAST_VIOLATION}, where nothing is feasible, the choice is then as good as the
 * frontier is.
 */
public final class NamedPlanSearch {

  /** Groups beyond which the variants for ablation search one order of operators. */
  private static final int MOST_GROUPS = 20_000;

  private static final String RELATIONAL = new PhysicalOperator.Relational().id();

  private final Program program;
  private final ProgramGraph graph;
  private final Map<String, List<Candidate>> candidates;
  private final Objective objective;
  private final SearchOptions options;
  private final int room;
  private final Set<Metric> frontierMetrics;

  private NamedPlanSearch(
      Program program,
      Map<String, List<Candidate>> candidates,
      Objective objective,
      SearchOptions options,
      int room) {
    this.program = program;
    this.graph = ProgramGraph.of(program);
    this.candidates = candidates;
    this.objective = objective;
    this.options = options;
    this.room = room;
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
    return search(program, candidates, objective, options, Integer.MAX_VALUE);
  }

  /** {@link #search} with so many subplans per group at most; for tests of the approximation. */
  static NamedSearchResult search(
      Program program,
      Map<String, List<Candidate>> candidates,
      Objective objective,
      SearchOptions options,
      int room) {
    for (LogicalOperator operator : ProgramGraph.of(program).operators()) {
      if (candidates.getOrDefault(operator.id(), List.of()).isEmpty()) {
        throw new NoImplementationException(
            operator.id(), "there is neither an observation nor a prior of any");
      }
    }
    long start = System.nanoTime();
    return new NamedPlanSearch(program, candidates, objective, options, room).run(start);
  }

  private NamedSearchResult run(long start) {
    boolean pareto = options.algorithm() == Algorithm.PARETO;
    Outcome outcome = pareto ? pareto() : single();
    List<Found> frontier = frontier(found(outcome.plans()));
    NamedPlan chosen = PlanSelection.of(objective, options.infeasiblePolicy()).choose(frontier);
    List<NamedPlan> plans = new ArrayList<>();
    for (Found found : frontier) {
      plans.add(found.plan());
    }
    Map<Dimension, Double> violations = PlanSelection.violations(objective, chosen.estimate());
    return new NamedSearchResult(
        chosen, violations.isEmpty(), plans, statistics(outcome, start), violations);
  }

  private static SearchStatistics statistics(Outcome outcome, long start) {
    CascadesSearch search = outcome.search();
    int subplans = 0;
    for (Group group : search.groups()) {
      subplans = Math.max(subplans, group.subplans().size());
    }
    return new SearchStatistics(
        search.memo().groups(),
        search.memo().expressions(),
        search.applications(),
        subplans,
        outcome.epsilon(),
        outcome.frontierEpsilon(),
        outcome.allOrders(),
        (System.nanoTime() - start) / 1e6);
  }

  /** Final plans, and what is known of how good they are. */
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
    ParetoSearch pareto = new ParetoSearch(problem(objective, frontierMetrics, true), room);
    BestPlanSearch best = new BestPlanSearch(pareto, objective);
    CascadesSearch frontier =
        pareto.frontier(options.frontierBeyondBounds() ? List.of() : objective.bounds());
    BestPlanSearch.Answer answer = best.among(frontier.root());
    if (!answer.isCertain(objective.target())) {
      answer = best.search(answer.plan() == null ? feasible() : answer.plan());
    }
    if (answer.plan() == null) {
      // A plan is to be had all the same; which, the policy for infeasible objectives says.
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
   * A plan that meets all bounds, or null: the one that is best by a bounded dimension under the
   * other bounds, the target left out of account.
   */
  private @Nullable Subplan feasible() {
    for (Bound bound : objective.bounds()) {
      List<Bound> others = new ArrayList<>(objective.bounds());
      others.remove(bound);
      Objective extreme = new Objective(bound.dimension(), others);
      ParetoSearch pareto =
          new ParetoSearch(problem(extreme, Metric.of(extreme.dimensions()), true), room);
      Subplan plan = new BestPlanSearch(pareto, extreme).search(null).plan();
      if (plan != null && BoundPruning.ofWholePlans(objective.bounds()).keeps(plan.metrics())) {
        return plan;
      }
    }
    return null;
  }

  /** The same choice of implementations in the cheapest order; that is found if any can be. */
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
    return new ParetoSearch(problem, room).frontier(List.of()).root().subplans();
  }

  private SearchProblem problem(Objective aim, Set<Metric> metrics, boolean pruned) {
    return SearchProblem.of(program, candidates, aim, options.costModel(), metrics, pruned);
  }

  private List<Found> found(List<Subplan> subplans) {
    Map<String, Map<String, OperatorEstimate>> estimates = new HashMap<>();
    for (Map.Entry<String, List<Candidate>> entry : candidates.entrySet()) {
      Map<String, OperatorEstimate> own = new HashMap<>();
      for (Candidate candidate : entry.getValue()) {
        own.put(candidate.id(), candidate.estimate());
      }
      estimates.put(entry.getKey(), own);
    }
    List<Found> found = new ArrayList<>();
    for (Subplan subplan : subplans) {
      found.add(found(subplan, estimates));
    }
    return found;
  }

  /** Final plans, compared once more by their exact estimates. */
  private List<Found> frontier(List<Found> found) {
    Comparator<Found> order = PlanSelection.bestTarget(objective);
    ParetoFrontier<Found> frontier = new ParetoFrontier<>(frontierMetrics, order);
    for (Found one : found) {
      frontier.insert(MetricVector.of(one.plan().estimate()), one);
    }
    List<Found> sorted = new ArrayList<>(frontier.items());
    sorted.sort(order);
    return sorted;
  }

  private Found found(Subplan subplan, Map<String, Map<String, OperatorEstimate>> estimates) {
    List<NamedPlan.Step> steps = new ArrayList<>();
    List<OperatorEstimate> perStep = new ArrayList<>();
    BitSet done = new BitSet();
    for (PhysicalExpression expression : subplan.expressions()) {
      LogicalOperator operator = expression.logical().operator();
      steps.add(new NamedPlan.Step(operator, expression.physical()));
      perStep.add(estimates.getOrDefault(operator.id(), Map.of()).get(expression.physical()));
      done.set(expression.logical().position());
      addMerges(done, steps);
    }
    return new Found(
        subplan,
        new NamedPlan(
            steps,
            graph.isTree()
                ? CostModel.rounded(subplan.metrics())
                : options.costModel().estimate(perStep)));
  }

  /** Merges do nothing; a plan shows them where their branches end. */
  private void addMerges(BitSet done, List<NamedPlan.Step> steps) {
    for (ProgramGraph.Merged merged : graph.merges()) {
      BitSet missing = merged.branches().operators();
      missing.andNot(done);
      boolean shown = steps.stream().anyMatch(step -> step.logical().equals(merged.operator()));
      if (missing.isEmpty() && !shown) {
        steps.add(new NamedPlan.Step(merged.operator(), RELATIONAL));
      }
    }
  }

  /** A final subplan and the plan read off it. */
  record Found(Subplan subplan, NamedPlan plan) {}
}
