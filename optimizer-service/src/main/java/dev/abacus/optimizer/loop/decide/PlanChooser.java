package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.loop.wholeplan.PlanRace;
import dev.abacus.optimizer.loop.wholeplan.UncertainPlan;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.search.cascades.PlanSearch;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cascades.SearchResult;
import dev.abacus.optimizer.search.cost.Belief;
import dev.abacus.optimizer.search.cost.Estimates;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.PlanOrder;
import dev.abacus.optimizer.search.cost.Quantiles;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best plan by the present samples.
 *
 * <p>While sampling is in progress, an implementation may be chosen once it has j samples (or as
 * many as there are examples). When sampling is finished, implementations with fewer samples may be
 * chosen for an operator where none has j. An implementation that never gave an answer is never
 * chosen, however low its cost, nor is one whose model is missing or has no key.
 */
public final class PlanChooser {

  /** Difference of probabilities that does not justify a worse plan. */
  private static final double ALIKE = 0.02;

  /** Probability of its bounds from which a plan that is better than the chosen one is measured. */
  private static final double PROMISING = 0.5;

  /** Number of plans that are sure to keep the bounds to consider; the best of them decide. */
  private static final int MOST_SURE = 12;

  private final SearchOptions options;
  private final SamplingPolicy policy;
  private final int fullSamples;
  private final Confirmation confirmation;

  public PlanChooser(
      SearchOptions options, SamplingPolicy policy, int fullSamples, Confirmation confirmation) {
    this.options = options;
    this.policy = policy;
    this.fullSamples = policy.fullSamples(fullSamples);
    this.confirmation = confirmation;
  }

  Confirmation confirmation() {
    return confirmation;
  }

  /**
   * Searches for the best plan.
   *
   * @param beliefs of {@link #beliefs}
   * @param finished whether sampling is finished
   * @return null while some operator has no implementation that may be chosen
   */
  @Nullable SearchResult choose(
      ProgramSnapshot view,
      SamplingState state,
      Map<String, Map<Arm, Belief>> beliefs,
      boolean finished) {
    Map<String, Map<PhysicalOperator, OperatorEstimate>> eligible =
        eligible(view, state, beliefs, finished);
    return eligible == null
        ? null
        : view.learned().equip(search(view.program(), eligible, beliefs));
  }

  /**
   * The plans to measure before one is promised. If quality is the target, the winner is the
   * cheapest plan within the tolerance of the chosen one, which is a challenger; else the winner is
   * the chosen one. Other challengers are a better plan whose bounds hold with less than the
   * required probability, if those of the winner hold with it, and the best plan with another
   * implementation of one operator.
   *
   * @param found the result of {@link #choose} with {@code finished}, or one with corrected
   *     estimates
   */
  PlanRace.Finalists finalists(
      ProgramSnapshot view,
      SamplingState state,
      Map<String, Map<Arm, Belief>> beliefs,
      SearchResult found) {
    Map<String, Map<PhysicalOperator, OperatorEstimate>> eligible =
        eligible(view, state, beliefs, true);
    PlanChoice chosen = found.chosen();
    if (eligible == null) {
      return new PlanRace.Finalists(uncertain(chosen, beliefs), null, List.of());
    }
    Program program = view.program();
    Objective objective = program.objective();
    PlanChoice winner =
        objective.target() == Dimension.QUALITY
            ? frugal(program, eligible, beliefs, chosen)
            : chosen;
    PlanChoice promising =
        objective.bounds().isEmpty()
            ? chosen
            : search(
                    program,
                    eligible,
                    beliefs,
                    Math.min(PROMISING, confirmation.boundProbability()))
                .chosen();
    Map<String, PlanChoice> others = new LinkedHashMap<>();
    others.put(chosen.signature(), chosen);
    PlanChoice second = second(program, eligible, beliefs, chosen);
    if (second != null) {
      others.putIfAbsent(second.signature(), second);
    }
    others.remove(winner.signature());
    others.remove(promising.signature());
    boolean better =
        probability(winner, program, beliefs) >= confirmation.boundProbability()
            && !promising.signature().equals(winner.signature())
            && !promising.signature().equals(chosen.signature());
    return new PlanRace.Finalists(
        uncertain(winner, beliefs),
        better ? uncertain(promising, beliefs) : null,
        others.values().stream().map(plan -> uncertain(plan, beliefs)).toList());
  }

  private static UncertainPlan uncertain(PlanChoice plan, Map<String, Map<Arm, Belief>> beliefs) {
    return UncertainPlan.of(plan, beliefs(plan, beliefs));
  }

  /** The best plan that differs from another in the implementation of at least one operator. */
  private @Nullable PlanChoice second(
      Program program,
      Map<String, Map<PhysicalOperator, OperatorEstimate>> eligible,
      Map<String, Map<Arm, Belief>> beliefs,
      PlanChoice best) {
    PlanChoice second = null;
    Comparator<PlanChoice> order = PlanOrder.of(program.objective(), PlanChoice::estimate);
    for (PlanStep step : best.steps()) {
      Map<PhysicalOperator, OperatorEstimate> others =
          new LinkedHashMap<>(eligible.getOrDefault(step.logical().id(), Map.of()));
      others.keySet().removeIf(arm -> arm.id().equals(step.physical().id()));
      if (!others.isEmpty()) {
        Map<String, Map<PhysicalOperator, OperatorEstimate>> without =
            new LinkedHashMap<>(eligible);
        without.put(step.logical().id(), others);
        PlanChoice candidate = search(program, without, beliefs).chosen();
        second = second == null || order.compare(candidate, second) < 0 ? candidate : second;
      }
    }
    return second;
  }

  /** The cheapest plan whose quality is within the tolerance of that of the chosen plan. */
  private PlanChoice frugal(
      Program program,
      Map<String, Map<PhysicalOperator, OperatorEstimate>> eligible,
      Map<String, Map<Arm, Belief>> beliefs,
      PlanChoice chosen) {
    List<Bound> bounds = new ArrayList<>();
    program.objective().bounds().stream()
        .filter(bound -> bound.dimension() != Dimension.COST)
        .forEach(bounds::add);
    double least = Math.max(0, chosen.estimate().quality() - confirmation.tolerance());
    bounds.add(new Bound(Dimension.QUALITY, least));
    SearchResult found =
        PlanSearch.search(
            program, Estimates.of(eligible), new Objective(Dimension.COST, bounds), options);
    double enough =
        Math.min(confirmation.boundProbability(), probability(chosen, program, beliefs) - ALIKE);
    return found.frontier().stream()
        .filter(plan -> plan.estimate().quality() >= least)
        .filter(plan -> plan.estimate().cost() <= chosen.estimate().cost())
        .filter(plan -> probability(plan, program, beliefs) >= enough)
        .findFirst()
        .orElse(chosen);
  }

  private static double probability(
      PlanChoice plan, Program program, Map<String, Map<Arm, Belief>> beliefs) {
    return uncertain(plan, beliefs).probability(program.objective());
  }

  private @Nullable Map<String, Map<PhysicalOperator, OperatorEstimate>> eligible(
      ProgramSnapshot view,
      SamplingState state,
      Map<String, Map<Arm, Belief>> beliefs,
      boolean finished) {
    Map<String, Integer> examples = new HashMap<>();
    state
        .operators()
        .forEach(operator -> examples.put(operator.operator(), operator.examples().size()));
    Map<String, Map<PhysicalOperator, OperatorEstimate>> all = new LinkedHashMap<>();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      int enough = Math.min(fullSamples, Math.max(1, examples.getOrDefault(operator.id(), 0)));
      Map<Arm, Belief> known = beliefs.getOrDefault(operator.id(), Map.of());
      Map<PhysicalOperator, OperatorEstimate> eligible = eligible(view, operator, known, enough);
      if (eligible.isEmpty() && finished) {
        eligible = eligible(view, operator, known, 1);
      }
      if (eligible.isEmpty()) {
        return null;
      }
      all.put(operator.id(), view.learned().worthwhile(operator, eligible));
    }
    return all;
  }

  private SearchResult search(
      Program program,
      Map<String, Map<PhysicalOperator, OperatorEstimate>> eligible,
      Map<String, Map<Arm, Belief>> beliefs) {
    return search(program, eligible, beliefs, confirmation.boundProbability());
  }

  private SearchResult search(
      Program program,
      Map<String, Map<PhysicalOperator, OperatorEstimate>> eligible,
      Map<String, Map<Arm, Belief>> beliefs,
      double boundProbability) {
    SearchResult found =
        PlanSearch.search(program, Estimates.of(eligible), program.objective(), options);
    return policy.hasDeviations() && !program.objective().bounds().isEmpty()
        ? withMargin(
            found,
            surer(program, eligible, beliefs, boundProbability),
            program.objective(),
            beliefs,
            boundProbability)
        : found;
  }

  /**
   * Further plans that may keep the bounds with the required probability: the frontier if the
   * bounded metrics of all implementations are worse by the margin of that probability. A plan that
   * is well known may be dominated by one that only seems better and cheaper. With several
   * operators, whose errors do not add up, the margin of one is divided by the square root of their
   * number. The plans have their expected values.
   */
  private List<PlanChoice> surer(
      Program program,
      Map<String, Map<PhysicalOperator, OperatorEstimate>> eligible,
      Map<String, Map<Arm, Belief>> beliefs,
      double boundProbability) {
    Objective objective = program.objective();
    double margin =
        Math.max(0, Quantiles.normal(boundProbability)) / Math.sqrt(Math.max(1, eligible.size()));
    Map<String, Map<PhysicalOperator, OperatorEstimate>> cautious = new LinkedHashMap<>();
    eligible.forEach((operator, estimates) -> {
      Map<PhysicalOperator, OperatorEstimate> worse = new LinkedHashMap<>();
      estimates.forEach((arm, estimate) -> {
        Belief belief = beliefs.getOrDefault(operator, Map.of()).get(Arm.named(arm.id()));
        worse.put(arm, belief == null ? estimate : cautious(objective, estimate, belief, margin));
      });
      cautious.put(operator, worse);
    });
    List<PlanChoice> plans = new ArrayList<>();
    SearchResult found = PlanSearch.search(program, Estimates.of(cautious), objective, options);
    List<PlanChoice> sure =
        found.feasible()
            ? found.frontier().stream().limit(MOST_SURE).toList()
            : List.of(found.chosen());
    for (PlanChoice plan : sure) {
      Map<String, Map<PhysicalOperator, OperatorEstimate>> own = new LinkedHashMap<>(eligible);
      for (PlanStep step : plan.steps()) {
        OperatorEstimate mean =
            eligible.getOrDefault(step.logical().id(), Map.of()).get(step.physical());
        if (mean != null) {
          own.put(step.logical().id(), Map.of(step.physical(), mean));
        }
      }
      plans.add(PlanSearch.search(program, Estimates.of(own), objective, options).chosen());
    }
    return plans;
  }

  private static OperatorEstimate cautious(
      Objective objective, OperatorEstimate estimate, Belief belief, double margin) {
    double quality = estimate.quality();
    double cost = estimate.cost();
    double latency = estimate.latency();
    for (Bound bound : objective.bounds()) {
      switch (bound.dimension()) {
        case QUALITY -> quality = Math.max(0, quality - margin * belief.qualityDeviation());
        case COST -> cost *= Math.exp(margin * belief.costDeviation());
        case LATENCY -> latency *= Math.exp(margin * belief.latencyDeviation());
      }
    }
    return new OperatorEstimate(quality, cost, latency, estimate.selectivity());
  }

  /**
   * Estimates all implementations, by operator id: the policy's estimates, and for cascades those
   * of {@link CascadeEstimator}.
   */
  Map<String, Map<Arm, Belief>> beliefs(ProgramSnapshot view, SamplingState state) {
    return CascadeEstimator.in(view, policy.beliefs(state));
  }

  /**
   * Replaces the chosen plan by the best one whose bounds hold with the required probability. If no
   * plan's do, by the likeliest, or the best of those that are as likely up to {@link #ALIKE}.
   *
   * @param surer plans to consider beside those of the frontier
   */
  private static SearchResult withMargin(
      SearchResult found,
      List<PlanChoice> surer,
      Objective objective,
      Map<String, Map<Arm, Belief>> beliefs,
      double boundProbability) {
    if (!found.feasible()) {
      PlanChoice likeliest =
          found.frontier().stream()
              .max(Comparator.comparingDouble(plan -> uncertain(plan, beliefs).margin(objective)))
              .orElse(found.chosen());
      return found.with(likeliest, objective);
    }
    Map<String, PlanChoice> all = new LinkedHashMap<>();
    found.frontier().forEach(plan -> all.put(plan.signature(), plan));
    surer.forEach(plan -> all.putIfAbsent(plan.signature(), plan));
    List<PlanChoice> plans =
        all.values().stream().sorted(PlanOrder.of(objective, PlanChoice::estimate)).toList();
    double[] probabilities =
        plans.stream()
            .mapToDouble(plan -> uncertain(plan, beliefs).probability(objective))
            .toArray();
    double most = DoubleStream.of(probabilities).max().orElse(0);
    double enough = most >= boundProbability ? boundProbability : most - ALIKE;
    PlanChoice chosen = found.chosen();
    for (int i = probabilities.length - 1; i >= 0; i--) {
      chosen = probabilities[i] >= enough ? plans.get(i) : chosen;
    }
    return found.with(chosen, objective);
  }

  private static List<Belief> beliefs(PlanChoice plan, Map<String, Map<Arm, Belief>> beliefs) {
    List<Belief> ofPlan = new ArrayList<>();
    for (PlanStep step : plan.steps()) {
      Belief belief =
          beliefs.getOrDefault(step.logical().id(), Map.of()).get(Arm.named(step.physical().id()));
      if (belief != null) {
        ofPlan.add(belief);
      }
    }
    return ofPlan;
  }

  private static Map<PhysicalOperator, OperatorEstimate> eligible(
      ProgramSnapshot view, LogicalOperator operator, Map<Arm, Belief> beliefs, int samples) {
    Map<PhysicalOperator, OperatorEstimate> eligible = new LinkedHashMap<>();
    beliefs.forEach((arm, belief) -> {
      if (belief.samples() >= samples) {
        PhysicalOperator physical = view.arm(operator, arm.id());
        if (!view.availability().isUnusable(physical)) {
          eligible.put(physical, belief.mean());
        }
      }
    });
    return eligible;
  }
}
