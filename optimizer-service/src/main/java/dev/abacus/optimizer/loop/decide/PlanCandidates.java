package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.loop.state.Beliefs;
import dev.abacus.optimizer.loop.wholeplan.UncertainPlan;
import dev.abacus.optimizer.search.cascades.PlanSearch;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cascades.SearchResult;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.PlanOrder;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Quantiles;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The plans that may be chosen, with what is known of them.
 *
 * @param eligible implementations that may be chosen, by operator id
 */
record PlanCandidates(
    Program program,
    Map<String, Map<PhysicalOperator, OperatorEstimate>> eligible,
    Beliefs beliefs,
    SearchOptions options) {

  /** Number of plans that are sure to keep the bounds to consider; the best of them decide. */
  private static final int MOST_SURE = 12;

  /** Number of searches for them. */
  private static final int MOST_SEARCHES = 3;

  /** If no plan is found, a plan with so many times smaller deviations is looked for. */
  private static final double NARROWER = 4;

  private static final double LEAST = 1e-12;

  /** Part of a quality that a margin leaves at least. */
  private static final double LEAST_LEFT = 0.1;

  Objective objective() {
    return program.objective();
  }

  /** Searches among the eligible implementations. */
  SearchResult search(Objective other) {
    return search(eligible, other);
  }

  private SearchResult search(
      Map<String, Map<PhysicalOperator, OperatorEstimate>> estimates, Objective other) {
    return PlanSearch.search(program, estimates, beliefs.fanouts(), other, options);
  }

  /** These candidates with other implementations of one operator. */
  private PlanCandidates with(String operator, Map<PhysicalOperator, OperatorEstimate> others) {
    Map<String, Map<PhysicalOperator, OperatorEstimate>> changed = new LinkedHashMap<>(eligible);
    changed.put(operator, others);
    return new PlanCandidates(program, changed, beliefs, options);
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
    return new PlanCandidates(program, fewer, beliefs, options);
  }

  /**
   * The candidates without the implementation of each step in turn, where others are left.
   *
   * @param operators whose steps are considered
   * @param kind of an implementation by its id; those of the kind of the step are left out
   */
  List<PlanCandidates> withoutEach(
      PlanChoice plan, Set<String> operators, UnaryOperator<String> kind) {
    List<PlanCandidates> without = new ArrayList<>();
    for (PlanStep step : plan.steps()) {
      Map<PhysicalOperator, OperatorEstimate> others =
          new LinkedHashMap<>(eligible.getOrDefault(step.logical().id(), Map.of()));
      String removed = kind.apply(step.physical().id());
      others.keySet().removeIf(arm -> kind.apply(arm.id()).equals(removed));
      if (operators.contains(step.logical().id()) && !others.isEmpty()) {
        without.add(with(step.logical().id(), others));
      }
    }
    return without;
  }

  /** The frontier without regard to bounds, over the dimensions that the objective names. */
  List<PlanChoice> beyondBounds() {
    return PlanSearch.search(
            program,
            eligible,
            beliefs.fanouts(),
            new Objective(objective().target(), List.of()),
            options.withFrontierDimensions(objective().dimensions()))
        .frontier();
  }

  /** The order of plans by the objective. */
  Comparator<PlanChoice> order() {
    return PlanOrder.of(objective(), PlanChoice::estimate);
  }

  /** A plan with the distributions of its metrics. */
  UncertainPlan uncertain(PlanChoice plan) {
    return UncertainPlan.of(plan, beliefs);
  }

  /** The probability that a plan keeps its least likely bound. */
  double probability(PlanChoice plan) {
    return uncertain(plan).probability(objective());
  }

  /**
   * Further plans that may keep the bounds with the required probability, as candidates: their
   * joint probability decides. A plan that is well known may be dominated by one that only seems
   * better and cheaper.
   *
   * <p>The margin of a bound is z times the deviation of the whole plan, the root of the sum of the
   * variances of its operators. A root is no sum over operators, but it is at most the mean of
   * variance ÷ s and s for every s, and equal to it if s is the deviation itself. So a search in
   * which each operator pays z ÷ 2s for its variance, and the bound z · s ÷ 2, finds plans that
   * keep it; the next search uses the deviation of what was found (majorization and minimization,
   * Hunter and Lange 2004).
   *
   * @param plan with whose deviations to begin
   */
  List<PlanChoice> surer(PlanChoice plan, double boundProbability) {
    double each = 1 - (1 - boundProbability) / Math.max(1, objective().bounds().size());
    double narrower = 1;
    UncertainPlan from = uncertain(plan);
    Map<String, PlanChoice> sure = new LinkedHashMap<>();
    for (int i = 0; i < MOST_SEARCHES; i++) {
      Cautious cautious =
          new Cautious(this, from, narrower, Math.max(0, Quantiles.student(each, from.freedom())));
      SearchResult found = search(cautious.eligible(), cautious.objective());
      boolean known = sure.containsKey(found.chosen().signature());
      found.frontier().stream()
          .limit(MOST_SURE)
          .forEach(one -> sure.putIfAbsent(one.signature(), expected(one)));
      PlanChoice chosen = expected(found.chosen());
      sure.putIfAbsent(chosen.signature(), chosen);
      if (!found.feasible()) {
        narrower /= NARROWER;
      } else if (known) {
        break;
      } else {
        narrower = 1;
        from = uncertain(chosen);
      }
    }
    return List.copyOf(sure.values());
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

  /**
   * The estimates and bounds of a search in which variance has a price. Every operator counts as if
   * all documents reached it, so the price of cost is too high behind filters.
   *
   * @param deviations the plan whose deviations, times {@code narrower}, set the price
   * @param z deviations by which a bound has to be kept
   */
  private record Cautious(
      PlanCandidates candidates, UncertainPlan deviations, double narrower, double z) {

    /** The deviation for which the price is right: of quality relative, of others absolute. */
    private double deviation(Dimension dimension) {
      double mean = dimension == Dimension.QUALITY ? deviations.mean(dimension) : 1;
      return Math.max(LEAST, narrower * deviations.deviation(dimension) / Math.max(LEAST, mean));
    }

    /** Such that z deviations of quality below its mean are as many of its logarithm. */
    private double quantile(Dimension dimension) {
      double deviation = deviation(dimension);
      return dimension == Dimension.QUALITY
          ? -Math.log(Math.max(LEAST_LEFT, 1 - z * deviation)) / deviation
          : z;
    }

    Objective objective() {
      List<Bound> tighter = new ArrayList<>();
      for (Bound bound : candidates.objective().bounds()) {
        double margin = quantile(bound.dimension()) * deviation(bound.dimension()) / 2;
        double limit =
            bound.dimension() == Dimension.QUALITY
                ? Math.min(1, bound.limit() * Math.exp(margin))
                : Math.max(0, bound.limit() - margin);
        tighter.add(new Bound(bound.dimension(), limit));
      }
      return new Objective(candidates.objective().target(), tighter);
    }

    Map<String, Map<PhysicalOperator, OperatorEstimate>> eligible() {
      Map<String, Map<PhysicalOperator, OperatorEstimate>> cautious = new LinkedHashMap<>();
      candidates.eligible.forEach((operator, estimates) -> {
        Map<PhysicalOperator, OperatorEstimate> worse = new LinkedHashMap<>();
        estimates.forEach((arm, estimate) -> {
          Belief belief = candidates.beliefs.find(operator, arm.id());
          worse.put(arm, belief == null ? estimate : worse(estimate, belief.orUnknown()));
        });
        cautious.put(operator, worse);
      });
      return cautious;
    }

    private OperatorEstimate worse(OperatorEstimate estimate, Belief belief) {
      double quality = estimate.quality();
      double cost = estimate.cost();
      double latency = estimate.latency();
      for (Bound bound : candidates.objective().bounds()) {
        double price = quantile(bound.dimension()) / (2 * deviation(bound.dimension()));
        double variance = belief.error(bound.dimension()).variance();
        switch (bound.dimension()) {
          case QUALITY ->
              quality *= Math.exp(-price * variance / Math.max(LEAST, quality * quality));
          case COST -> cost += price * cost * cost * variance;
          case LATENCY -> latency += price * latency * latency * variance;
        }
      }
      return new OperatorEstimate(quality, cost, latency, estimate.selectivity());
    }
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
