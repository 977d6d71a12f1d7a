package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.state.ConfidenceIntervals;
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
import dev.abacus.schemas.plan.StepEstimate;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the plan that is best by what is known now.
 *
 * <p>While the search goes on an implementation takes part when it has j samples (or as many as
 * there are examples for it); when it is over, also with fewer, if its operator has none that has
 * them all. One that never gave an answer takes no part, however cheap that was.
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
   * The best plan, or null while some operator has no implementation to choose.
   *
   * @param situation the operators with the examples that they can be tried on, and all samples
   * @param over whether no more samples will come
   */
  @Nullable SearchResult choose(ProgramSnapshot view, SamplingState situation, boolean over) {
    Map<String, Integer> examples = new HashMap<>();
    situation
        .operators()
        .forEach(operator -> examples.put(operator.operator(), operator.examples().size()));
    Map<String, Map<Arm, Belief>> beliefs = beliefs(view, situation);
    Estimates.Builder estimates = Estimates.builder();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      int enough = Math.min(fullSamples, Math.max(1, examples.getOrDefault(operator.id(), 0)));
      Map<Arm, Belief> known = beliefs.getOrDefault(operator.id(), Map.of());
      Map<PhysicalOperator, OperatorEstimate> eligible = eligible(view, operator, known, enough);
      if (eligible.isEmpty() && over) {
        eligible = eligible(view, operator, known, 1);
      }
      if (eligible.isEmpty()) {
        return null;
      }
      view.learnt()
          .worthwhile(operator, eligible)
          .forEach((arm, estimate) -> estimates.put(operator.id(), arm, estimate));
    }
    Program program = view.program();
    SearchResult found =
        PlanSearch.search(program, estimates.build(), program.objective(), options);
    return view.learnt().equip(careful(found, program, beliefs));
  }

  /** How sure the estimates of these plans are. */
  Map<String, Map<String, StepEstimate>> basis(
      ProgramSnapshot view, SamplingState situation, Collection<PlanChoice> plans) {
    return ConfidenceIntervals.of(view, beliefs(view, situation), plans);
  }

  /**
   * What is believed of all implementations, by operator: what the policy makes of samples, and
   * what follows of it for cascades.
   */
  Map<String, Map<Arm, Belief>> beliefs(ProgramSnapshot view, SamplingState situation) {
    return CascadeEstimator.in(view, policy.beliefs(situation));
  }

  /** The same result, but with the plan chosen that is most likely to meet the bounds in truth. */
  private SearchResult careful(
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
        eligible.put(view.arm(operator, arm.id()), belief.mean());
      }
    });
    return eligible;
  }

  /** Implementations with an answer and a score. */
  static Map<PhysicalOperator, OperatorEstimate> eligible(
      ProgramSnapshot view, LogicalOperator operator) {
    Map<PhysicalOperator, OperatorEstimate> eligible = new LinkedHashMap<>();
    view.answering(operator)
        .forEach((arm, known) -> {
          OperatorEstimate estimate = known.estimate();
          if (estimate != null) {
            eligible.put(arm, estimate);
          }
        });
    return eligible;
  }
}
