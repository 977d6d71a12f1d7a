package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.cost.Candidate;
import dev.abacus.optimizer.cost.CostModel;
import dev.abacus.optimizer.memo.GroupKey;
import dev.abacus.optimizer.memo.Survivors;
import dev.abacus.optimizer.pareto.Metric;
import dev.abacus.optimizer.pareto.MetricVector;
import dev.abacus.optimizer.pareto.ParetoFrontier;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which candidates of an operator and which subplans of a group a search goes on with.
 *
 * <p>A frontier spans the metrics that the objective uses, and cardinality: a subplan that lets
 * fewer documents through makes all that follows cheaper. Cardinality is left out where it cannot
 * tell subplans of a group apart, because no operator has implementations of different selectivity,
 * and in the final group, where nothing follows.
 */
final class SurvivorRule {

  private final List<LogicalOperator> operators;
  private final Algorithm algorithm;
  private final Objective objective;
  private final List<Bound> bounds;
  private final Set<Metric> finalMetrics;
  private final Set<Metric> metrics;
  private final List<List<Implementation>> implementations = new ArrayList<>();
  private final List<MetricVector> best = new ArrayList<>();

  private SurvivorRule(
      List<LogicalOperator> operators,
      Algorithm algorithm,
      Objective objective,
      List<Bound> bounds,
      Set<Metric> finalMetrics) {
    this.operators = operators;
    this.algorithm = algorithm;
    this.objective = objective;
    this.bounds = bounds;
    this.finalMetrics = finalMetrics;
    this.metrics = EnumSet.copyOf(finalMetrics);
  }

  /** What may be put on top of a subplan: an implementation and what it does with one input. */
  record Implementation(String id, MetricVector perInput) {

    private static final Comparator<Implementation> ORDER =
        Comparator.comparingDouble((Implementation one) -> -one.perInput.quality())
            .thenComparingDouble(one -> one.perInput.cost())
            .thenComparingDouble(one -> one.perInput.latency())
            .thenComparingDouble(one -> one.perInput.cardinality())
            .thenComparing(Implementation::id);
  }

  static SurvivorRule of(
      Program program,
      Map<String, List<Candidate>> candidates,
      Objective objective,
      SearchOptions options,
      Set<Metric> finalMetrics,
      boolean bounded) {
    SurvivorRule rule =
        new SurvivorRule(
            program.operators(),
            options.algorithm(),
            objective,
            bounded ? objective.bounds() : List.of(),
            finalMetrics);
    for (LogicalOperator operator : program.operators()) {
      rule.take(candidates.getOrDefault(operator.id(), List.of()), options.costModel());
    }
    rule.dropDominated();
    return rule;
  }

  /** The implementations to try for the operator at a position. */
  List<Implementation> implementations(int position) {
    return implementations.get(position);
  }

  /** The survivors of a new group. */
  Survivors survivors(GroupKey key) {
    return switch (algorithm) {
      case PARETO -> new ParetoSurvivors(isFinal(key) ? finalMetrics : metrics, allowance(key));
      case GREEDY -> SingleSurvivor.feasibleFirst(objective);
      case CASCADES -> SingleSurvivor.byTarget(objective);
    };
  }

  /**
   * Whether all orders of the same choices are equal in every metric. Only where all that nothing
   * dominates is kept: what a single survivor comes to depends on the order all the same.
   */
  boolean isOrderFree() {
    return algorithm == Algorithm.PARETO
        && implementations.stream()
            .flatMap(List::stream)
            .allMatch(implementation -> implementation.perInput.cardinality() == 1);
  }

  private void take(List<Candidate> candidates, CostModel model) {
    List<Implementation> all =
        candidates.stream()
            .map(candidate ->
                new Implementation(candidate.id(), model.perInput(candidate.estimate())))
            .toList();
    double least = all.stream().mapToDouble(one -> one.perInput.cardinality()).min().orElse(1);
    if (all.stream().anyMatch(one -> one.perInput.cardinality() != least)) {
      metrics.add(Metric.CARDINALITY);
    }
    implementations.add(all);
    best.add(
        new MetricVector(
            all.stream().mapToDouble(one -> one.perInput.quality()).max().orElse(1),
            all.stream().mapToDouble(one -> one.perInput.cost()).min().orElse(0),
            all.stream().mapToDouble(one -> one.perInput.latency()).min().orElse(0),
            least));
  }

  /**
   * A candidate that another one of the same operator dominates makes every subplan dominated that
   * it is part of; so it is not tried at all.
   */
  private void dropDominated() {
    if (algorithm == Algorithm.PARETO) {
      implementations.replaceAll(all ->
          List.copyOf(
              ParetoFrontier.of(all, Implementation::perInput, metrics, Implementation.ORDER)
                  .items()));
    }
  }

  private boolean isFinal(GroupKey key) {
    return key.operators().cardinality() == operators.size();
  }

  private Allowance allowance(GroupKey key) {
    List<MetricVector> missing = new ArrayList<>();
    for (int position = 0; position < operators.size(); position++) {
      if (!key.contains(position)) {
        missing.add(best.get(position));
      }
    }
    return Allowance.of(bounds, missing);
  }
}
