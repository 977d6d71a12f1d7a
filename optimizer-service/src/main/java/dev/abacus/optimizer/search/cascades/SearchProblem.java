package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.memo.GroupKey;
import dev.abacus.optimizer.search.memo.OrderSpace;
import dev.abacus.optimizer.search.memo.ProgramGraph;
import dev.abacus.optimizer.search.memo.Rank;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.optimizer.search.pareto.MetricVector;
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
 * @param implementations by position of the operator
 * @param best by position: for each metric, the best value of any candidate for one input
 * @param finalMetrics metrics that compare plans
 * @param metrics metrics that compare subplans
 */
record SearchProblem(
    ProgramGraph graph,
    List<List<Implementation>> implementations,
    List<MetricVector> best,
    Set<Metric> finalMetrics,
    Set<Metric> metrics) {

  private static final List<Candidate> RELATIONAL =
      List.of(new Candidate(new Relational().id(), OperatorEstimate.RELATIONAL));

  /** An implementation and what it does with one input. */
  record Implementation(String id, MetricVector perInput) {

    /** By quality, cost, latency, cardinality, and id; better values first. */
    private static final Comparator<Implementation> ORDER =
        Comparator.comparing(Implementation::perInput, MetricVector.BEST_FIRST)
            .thenComparingDouble(one -> one.perInput.cardinality())
            .thenComparing(Implementation::id);
  }

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
    List<List<Implementation>> implementations = new ArrayList<>();
    List<MetricVector> best = new ArrayList<>();
    boolean selective = false;
    for (LogicalOperator operator : graph.written()) {
      List<Implementation> all = new ArrayList<>();
      List<Candidate> own = operator.isSemantic() ? List.of() : RELATIONAL;
      for (Candidate candidate : candidates.getOrDefault(operator.id(), own)) {
        all.add(new Implementation(candidate.id(), model.perInput(candidate.estimate())));
      }
      MetricVector most = bestOf(all);
      for (Implementation one : all) {
        selective |= one.perInput.cardinality() != most.cardinality();
      }
      implementations.add(List.copyOf(all));
      best.add(most);
    }
    Set<Metric> metrics = EnumSet.copyOf(finalMetrics);
    if (selective && finalMetrics.contains(Metric.COST)) {
      metrics.add(Metric.CARDINALITY);
    }
    if (pruned) {
      for (int position = 0; position < implementations.size(); position++) {
        implementations.set(position, undominated(implementations.get(position), metrics));
      }
    }
    return new SearchProblem(graph, implementations, best, finalMetrics, metrics);
  }

  private static List<Implementation> undominated(List<Implementation> all, Set<Metric> metrics) {
    return ParetoFrontier.of(all, Implementation::perInput, metrics, Implementation.ORDER);
  }

  private static MetricVector bestOf(List<Implementation> all) {
    double quality = 0;
    double cost = Double.POSITIVE_INFINITY;
    double latency = Double.POSITIVE_INFINITY;
    double cardinality = Double.POSITIVE_INFINITY;
    for (Implementation one : all) {
      quality = Math.max(quality, one.perInput.quality());
      cost = Math.min(cost, one.perInput.cost());
      latency = Math.min(latency, one.perInput.latency());
      cardinality = Math.min(cardinality, one.perInput.cardinality());
    }
    return new MetricVector(quality, cost, latency, cardinality);
  }

  /** The metrics that compare the subplans of a group. */
  Set<Metric> metrics(GroupKey key) {
    return key.equals(graph.whole()) ? finalMetrics : metrics;
  }

  /** The least possible cardinality of a group. */
  double leastCardinality(GroupKey key) {
    double least = 1;
    for (int position = 0; position < best.size(); position++) {
      least *= key.contains(position) ? best.get(position).cardinality() : 1;
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
        MetricVector one = best.get(position);
        quality *= one.quality();
        cost += one.cost();
        // An operator of two sides may take no time, because the other side takes longer.
        latency += graph.hasSides() ? 0 : one.latency();
        reaching *= Math.min(1, one.cardinality());
      }
    }
    BoundPruning pruning = BoundPruning.of(bounds, quality, cost * reaching, latency);
    return key.chain() == ProgramGraph.MAIN ? pruning : pruning.ofPart(reaching);
  }

  /** What each implementation does with one input. */
  static List<MetricVector> perInput(List<Implementation> implementations) {
    List<MetricVector> perInput = new ArrayList<>(implementations.size());
    for (Implementation one : implementations) {
      perInput.add(one.perInput);
    }
    return perInput;
  }

  /** The orders of operators to enumerate. */
  OrderSpace orders(OrderSpace.Extent extent) {
    List<Rank> ranks = new ArrayList<>();
    for (List<Implementation> all : implementations) {
      ranks.add(Rank.of(perInput(all)));
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
      MetricVector least = best.get(inside);
      double cost = 0;
      double cardinality = graph.isMovable(inside) ? 1 : 0;
      for (Implementation one : implementations.get(inside)) {
        cost = Math.max(cost, one.perInput.cost());
        cardinality = Math.max(cardinality, one.perInput.cardinality());
      }
      leastCost += graph.isMovable(inside) ? 0 : least.cost();
      mostCost += cost;
      leastCardinality *= Math.min(1, least.cardinality());
      mostCardinality *= cardinality;
      mostReaching *= Math.max(1, cardinality);
    }
    return Rank.of(
        List.of(
            new MetricVector(1, leastCost * leastCardinality, 0, leastCardinality),
            new MetricVector(1, mostCost * mostReaching, 0, mostCardinality)));
  }
}
