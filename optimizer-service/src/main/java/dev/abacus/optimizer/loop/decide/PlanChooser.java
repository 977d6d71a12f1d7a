package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.state.ProgramSnapshot;
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

  /** By how much an alternative plan is less likely to break a bound. */
  private static final double SAFER = 5;

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
   * The plans to measure before one is promised, the one to promise first: if quality is the
   * target, the cheapest plan within the tolerance of the chosen one; the chosen plan; the best
   * plan with another implementation of one operator; if the target is not quality, the best plan
   * whose bounds hold with a higher probability.
   *
   * @param found the result of {@link #choose} with {@code finished}, or one with corrected
   *     estimates
   */
  List<UncertainPlan> finalists(
      ProgramSnapshot view,
      SamplingState state,
      Map<String, Map<Arm, Belief>> beliefs,
      SearchResult found) {
    Map<String, Map<PhysicalOperator, OperatorEstimate>> eligible =
        eligible(view, state, beliefs, true);
    Map<String, PlanChoice> finalists = new LinkedHashMap<>();
    Program program = view.program();
    boolean forQuality = program.objective().target() == Dimension.QUALITY;
    if (eligible != null && forQuality) {
      PlanChoice frugal = frugal(program, eligible, beliefs, found.chosen());
      finalists.put(frugal.signature(), frugal);
    }
    finalists.putIfAbsent(found.chosen().signature(), found.chosen());
    if (eligible != null) {
      PlanChoice second = second(program, eligible, beliefs, found.chosen());
      if (second != null) {
        finalists.putIfAbsent(second.signature(), second);
      }
      if (!forQuality) {
        double safer = 1 - (1 - confirmation.boundProbability()) / SAFER;
        PlanChoice safe = search(program, eligible, beliefs, safer).chosen();
        finalists.putIfAbsent(safe.signature(), safe);
      }
    }
    return finalists.values().stream()
        .map(plan -> UncertainPlan.of(plan, beliefs(plan, beliefs)))
        .toList();
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
    return UncertainPlan.of(plan, beliefs(plan, beliefs)).probability(program.objective());
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
    return withMargin(
        PlanSearch.search(program, Estimates.of(eligible), program.objective(), options),
        program.objective(),
        beliefs,
        boundProbability);
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
   */
  private SearchResult withMargin(
      SearchResult found,
      Objective objective,
      Map<String, Map<Arm, Belief>> beliefs,
      double boundProbability) {
    if (!found.feasible() || !policy.hasDeviations() || objective.bounds().isEmpty()) {
      return found;
    }
    double[] probabilities =
        found.frontier().stream()
            .mapToDouble(
                plan -> UncertainPlan.of(plan, beliefs(plan, beliefs)).probability(objective))
            .toArray();
    double enough =
        Math.min(boundProbability, DoubleStream.of(probabilities).max().orElse(0) - ALIKE);
    PlanChoice chosen = found.chosen();
    // The frontier is in order of the target.
    for (int i = probabilities.length - 1; i >= 0; i--) {
      chosen = probabilities[i] >= enough ? found.frontier().get(i) : chosen;
    }
    return new SearchResult(chosen, true, found.frontier(), found.statistics(), Map.of());
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
