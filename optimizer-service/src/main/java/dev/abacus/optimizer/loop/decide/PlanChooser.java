package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.search.cascades.PlanSearch;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cascades.SearchResult;
import dev.abacus.optimizer.search.cost.Belief;
import dev.abacus.optimizer.search.cost.ConfidenceMargin;
import dev.abacus.optimizer.search.cost.Estimates;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  private final SearchOptions options;
  private final SamplingPolicy policy;
  private final int fullSamples;

  public PlanChooser(SearchOptions options, SamplingPolicy policy, int fullSamples) {
    this.options = options;
    this.policy = policy;
    this.fullSamples = policy.fullSamples(fullSamples);
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
    Map<String, Integer> examples = new HashMap<>();
    state
        .operators()
        .forEach(operator -> examples.put(operator.operator(), operator.examples().size()));
    Estimates.Builder estimates = Estimates.builder();
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
      view.learned()
          .worthwhile(operator, eligible)
          .forEach((arm, estimate) -> estimates.put(operator.id(), arm, estimate));
    }
    Program program = view.program();
    SearchResult found =
        PlanSearch.search(program, estimates.build(), program.objective(), options);
    return view.learned().equip(withMargin(found, program, beliefs));
  }

  /**
   * Estimates all implementations, by operator id: the policy's estimates, and for cascades those
   * of {@link CascadeEstimator}.
   */
  Map<String, Map<Arm, Belief>> beliefs(ProgramSnapshot view, SamplingState state) {
    return CascadeEstimator.in(view, policy.beliefs(state));
  }

  /** Replaces the chosen plan by one that keeps the policy's margin from the bounds. */
  private SearchResult withMargin(
      SearchResult found, Program program, Map<String, Map<Arm, Belief>> beliefs) {
    if (!found.feasible()) {
      return found;
    }
    PlanChoice chosen =
        new ConfidenceMargin(policy.confidenceMargin())
            .choose(
                found.chosen(),
                found.frontier(),
                program.objective(),
                PlanChoice::estimate,
                plan -> beliefs(plan, beliefs));
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
