package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.memo.GroupKey;
import dev.abacus.optimizer.search.memo.OrderSpace;
import dev.abacus.optimizer.search.memo.ProgramGraph;
import dev.abacus.optimizer.search.memo.Rank;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.optimizer.search.pareto.ParetoFrontier;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The input of a search: the operators, their implementations, and the metrics that compare
 * subplans.
 *
 * <p>A frontier spans the metrics of the objective and cardinality, because a subplan with fewer
 * outputs makes all later operators cheaper (paper, section 3.2). Cardinality is omitted where it
 * makes no difference: if all implementations of each operator have the same selectivity, if cost
 * is no metric, and in the final group.
 *
 * @param graph of the program
 * @param implementations by position of the operator, with what each does with one input
 * @param best by position: for each metric, the best value of any candidate for one input
 * @param finalMetrics metrics that compare plans
 * @param metrics metrics that compare subplans
 */
record SearchProblem(
    ProgramGraph graph,
    List<List<Candidate>> implementations,
    List<OperatorEstimate> best,
    Set<Metric> finalMetrics,
    Set<Metric> metrics) {

  private static final List<Candidate> RELATIONAL =
      List.of(new Candidate(new Relational().id(), OperatorEstimate.RELATIONAL));

  /** By quality, cost, latency, selectivity, and id; better values first. */
  private static final Comparator<Candidate> ORDER =
      Comparator.comparing(Candidate::estimate, OperatorEstimate.BEST_FIRST)
          .thenComparingDouble(one -> one.estimate().selectivity())
          .thenComparing(Candidate::id);

  /**
   * Prepares a search.
   *
   * @param pruned whether to omit candidates that another candidate of the same operator dominates;
   *     every subplan with such a candidate is dominated
   */
  static SearchProblem of(
      ProgramGraph graph,
      Map<String, List<Candidate>> candidates,
      CostModel model,
      Set<Metric> finalMetrics,
      boolean pruned) {
    List<List<Candidate>> implementations = new ArrayList<>();
    List<OperatorEstimate> best = new ArrayList<>();
    boolean selective = false;
    for (LogicalOperator operator : graph.written()) {
      List<Candidate> all = new ArrayList<>();
      List<Candidate> own = operator.isSemantic() ? List.of() : RELATIONAL;
      for (Candidate candidate : candidates.getOrDefault(operator.id(), own)) {
        all.add(new Candidate(candidate.id(), model.perInput(candidate.estimate())));
      }
      OperatorEstimate most = bestOf(all);
      for (Candidate one : all) {
        selective |= one.estimate().selectivity() != most.selectivity();
      }
      implementations.add(List.copyOf(all));
      best.add(most);
    }
    Set<Metric> metrics = EnumSet.copyOf(finalMetrics);
    if (selective && finalMetrics.contains(Metric.COST)) {
      metrics.add(Metric.CARDINALITY);
    }
    if (pruned) {
      implementations.replaceAll(all -> undominated(all, metrics));
    }
    return new SearchProblem(graph, implementations, best, finalMetrics, metrics);
  }

  private static List<Candidate> undominated(List<Candidate> all, Set<Metric> metrics) {
    return ParetoFrontier.of(all, (one, metric) -> one.estimate().get(metric), metrics, ORDER);
  }

  private static OperatorEstimate bestOf(List<Candidate> all) {
    double quality = 0;
    double cost = Double.POSITIVE_INFINITY;
    double latency = Double.POSITIVE_INFINITY;
    double cardinality = Double.POSITIVE_INFINITY;
    for (Candidate one : all) {
      quality = Math.max(quality, one.estimate().quality());
      cost = Math.min(cost, one.estimate().cost());
      latency = Math.min(latency, one.estimate().latency());
      cardinality = Math.min(cardinality, one.estimate().selectivity());
    }
    return new OperatorEstimate(quality, cost, latency, cardinality);
  }

  /** The metrics that compare the subplans of a group. */
  Set<Metric> metrics(GroupKey key) {
    return key.equals(graph.whole()) ? finalMetrics : metrics;
  }

  /** The least possible cardinality of a group. */
  double leastCardinality(GroupKey key) {
    double least = 1;
    for (int position = 0; position < best.size(); position++) {
      least *= key.contains(position) ? best.get(position).selectivity() : 1;
    }
    return least;
  }

  /** The pruning of a group by bounds. */
  BoundPruning boundPruning(GroupKey key, List<Bound> bounds) {
    double quality = 1;
    double cost = 0;
    double latency = 0;
    double reaching = 1;
    for (int position = 0; position < best.size(); position++) {
      if (!key.contains(position)) {
        OperatorEstimate one = best.get(position);
        quality *= one.quality();
        cost += one.cost();
        // An operator of two sides may take no time, because the other side takes longer.
        latency += graph.hasSides() ? 0 : one.latency();
        reaching *= Math.min(1, one.selectivity());
      }
    }
    BoundPruning pruning = BoundPruning.of(bounds, quality, cost * reaching, latency);
    return key.chain() == ProgramGraph.MAIN ? pruning : pruning.ofPart(reaching);
  }

  /** The orders of operators to enumerate. */
  OrderSpace orders(OrderSpace.Extent extent) {
    List<Rank> ranks = new ArrayList<>();
    for (List<Candidate> all : implementations) {
      ranks.add(Rank.of(all.stream().map(Candidate::estimate).toList()));
    }
    for (int position = 0; position < ranks.size(); position++) {
      if (graph.isMerge(position)) {
        ranks.set(position, branchesRank(position));
      }
    }
    return new OrderSpace(graph, ranks, extent);
  }

  /** An interval that contains the rank of the branches of a merge, whatever runs in them. */
  private Rank branchesRank(int merge) {
    double leastCost = 0;
    double mostCost = 0;
    double leastCardinality = 1;
    double mostCardinality = 1;
    double mostReaching = 1;
    for (int inside : graph.operatorsOfSides(merge).stream().toArray()) {
      OperatorEstimate least = best.get(inside);
      double cost = 0;
      double cardinality = graph.isMovable(inside) ? 1 : 0;
      for (Candidate one : implementations.get(inside)) {
        cost = Math.max(cost, one.estimate().cost());
        cardinality = Math.max(cardinality, one.estimate().selectivity());
      }
      leastCost += graph.isMovable(inside) ? 0 : least.cost();
      mostCost += cost;
      leastCardinality *= Math.min(1, least.selectivity());
      mostCardinality *= cardinality;
      mostReaching *= Math.max(1, cardinality);
    }
    return Rank.of(
        List.of(
            new OperatorEstimate(1, leastCost * leastCardinality, 0, leastCardinality),
            new OperatorEstimate(1, mostCost * mostReaching, 0, mostCardinality)));
  }
}
