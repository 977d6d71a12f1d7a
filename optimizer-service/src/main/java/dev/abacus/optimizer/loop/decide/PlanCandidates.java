package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.wholeplan.UncertainPlan;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cascades.PlanSearch;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cascades.SearchResult;
import dev.abacus.optimizer.search.cost.Belief;
import dev.abacus.optimizer.search.cost.Estimates;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.PlanOrder;
import dev.abacus.optimizer.search.cost.Quantiles;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The plans that may be chosen, with what is known of them.
 *
 * @param eligible implementations that may be chosen, by operator id
 * @param beliefs of all implementations, by operator id
 * @param fanouts outputs of operators over several documents
 */
record PlanCandidates(
    Program program,
    Map<String, Map<PhysicalOperator, OperatorEstimate>> eligible,
    Map<String, Map<Arm, Belief>> beliefs,
    Fanouts fanouts,
    SearchOptions options) {

  /** Number of plans that are sure to keep the bounds to consider; the best of them decide. */
  private static final int MOST_SURE = 12;

  Objective objective() {
    return program.objective();
  }

  /** Searches among the eligible implementations. */
  SearchResult search(Objective other) {
    return search(eligible, other);
  }

  private SearchResult search(
      Map<String, Map<PhysicalOperator, OperatorEstimate>> estimates, Objective other) {
    return PlanSearch.search(program, Estimates.of(estimates).with(fanouts), other, options);
  }

  /** These candidates with other implementations of one operator. */
  private PlanCandidates with(String operator, Map<PhysicalOperator, OperatorEstimate> others) {
    Map<String, Map<PhysicalOperator, OperatorEstimate>> changed = new LinkedHashMap<>(eligible);
    changed.put(operator, others);
    return new PlanCandidates(program, changed, beliefs, fanouts, options);
  }

  /** These candidates with only some implementations of the operators in {@code kept}, if any. */
  PlanCandidates only(Map<String, Set<String>> kept) {
    Map<String, Map<PhysicalOperator, OperatorEstimate>> fewer = new LinkedHashMap<>(eligible);
    kept.forEach((operator, ids) -> {
      Map<PhysicalOperator, OperatorEstimate> left =
          new LinkedHashMap<>(eligible.getOrDefault(operator, Map.of()));
      left.keySet().removeIf(arm -> !ids.contains(arm.id()));
      if (!left.isEmpty()) {
        fewer.put(operator, left);
      }
    });
    return new PlanCandidates(program, fewer, beliefs, fanouts, options);
  }

  /** The candidates without the implementation of each step in turn, where others are left. */
  List<PlanCandidates> withoutEach(PlanChoice plan) {
    return withoutEach(plan, eligible.keySet());
  }

  /** The same for the steps of some operators. */
  List<PlanCandidates> withoutEach(PlanChoice plan, Set<String> operators) {
    List<PlanCandidates> without = new ArrayList<>();
    for (PlanStep step : plan.steps()) {
      Map<PhysicalOperator, OperatorEstimate> others =
          new LinkedHashMap<>(eligible.getOrDefault(step.logical().id(), Map.of()));
      others.keySet().removeIf(arm -> arm.id().equals(step.physical().id()));
      if (operators.contains(step.logical().id()) && !others.isEmpty()) {
        without.add(with(step.logical().id(), others));
      }
    }
    return without;
  }

  /** The order of plans by the objective. */
  Comparator<PlanChoice> order() {
    return PlanOrder.of(objective(), PlanChoice::estimate);
  }

  /** A plan with the distributions of its metrics. */
  UncertainPlan uncertain(PlanChoice plan) {
    List<Belief> ofPlan = new ArrayList<>();
    List<Belief> chain = new ArrayList<>();
    for (PlanStep step : plan.steps()) {
      Belief belief = belief(step.logical().id(), step.physical());
      if (belief != null) {
        ofPlan.add(belief);
      }
      chain.addAll(fanouts.links(step.logical(), belief));
    }
    return UncertainPlan.of(plan, ofPlan, chain);
  }

  private @Nullable Belief belief(String operator, PhysicalOperator physical) {
    return beliefs.getOrDefault(operator, Map.of()).get(Arm.named(physical.id()));
  }

  /** The probability that a plan keeps its least likely bound. */
  double probability(PlanChoice plan) {
    return uncertain(plan).probability(objective());
  }

  /**
   * Further plans that may keep the bounds with the required probability: the frontier if the
   * bounded metrics of all implementations are worse by the margin of that probability. A plan that
   * is well known may be dominated by one that only seems better and cheaper. With several
   * operators, whose errors do not add up, the margin of one is divided by the square root of their
   * number. The plans have their expected values.
   */
  List<PlanChoice> surer(double boundProbability) {
    double margin =
        Math.max(0, Quantiles.normal(boundProbability)) / Math.sqrt(Math.max(1, eligible.size()));
    Map<String, Map<PhysicalOperator, OperatorEstimate>> cautious = new LinkedHashMap<>();
    eligible.forEach((operator, estimates) -> {
      Map<PhysicalOperator, OperatorEstimate> worse = new LinkedHashMap<>();
      estimates.forEach((arm, estimate) -> {
        Belief belief = belief(operator, arm);
        worse.put(arm, belief == null ? estimate : cautious(estimate, belief, margin));
      });
      cautious.put(operator, worse);
    });
    SearchResult found = search(cautious, objective());
    List<PlanChoice> sure =
        found.feasible()
            ? found.frontier().stream().limit(MOST_SURE).toList()
            : List.of(found.chosen());
    return sure.stream().map(this::expected).toList();
  }

  /** A plan with its expected values. */
  private PlanChoice expected(PlanChoice plan) {
    PlanCandidates own = this;
    for (PlanStep step : plan.steps()) {
      OperatorEstimate mean =
          eligible.getOrDefault(step.logical().id(), Map.of()).get(step.physical());
      if (mean != null) {
        own = own.with(step.logical().id(), Map.of(step.physical(), mean));
      }
    }
    return own.search(objective()).chosen();
  }

  private OperatorEstimate cautious(OperatorEstimate estimate, Belief belief, double margin) {
    double quality = estimate.quality();
    double cost = estimate.cost();
    double latency = estimate.latency();
    for (Bound bound : objective().bounds()) {
      switch (bound.dimension()) {
        case QUALITY -> quality = Math.max(0, quality - margin * belief.qualityDeviation());
        case COST -> cost *= Math.exp(margin * belief.costDeviation());
        case LATENCY -> latency *= Math.exp(margin * belief.latencyDeviation());
      }
    }
    return new OperatorEstimate(quality, cost, latency, estimate.selectivity());
  }

  /** The cheapest plan whose quality is within a tolerance of that of another plan. */
  PlanChoice frugal(PlanChoice chosen, double tolerance, double enough) {
    List<Bound> bounds = new ArrayList<>();
    objective().bounds().stream()
        .filter(bound -> bound.dimension() != Dimension.COST)
        .forEach(bounds::add);
    double least = Math.max(0, chosen.estimate().quality() - tolerance);
    bounds.add(new Bound(Dimension.QUALITY, least));
    return search(new Objective(Dimension.COST, bounds)).frontier().stream()
        .filter(plan -> plan.estimate().quality() >= least)
        .filter(plan -> plan.estimate().cost() <= chosen.estimate().cost())
        .filter(plan -> probability(plan) >= enough)
        .findFirst()
        .orElse(chosen);
  }
}
