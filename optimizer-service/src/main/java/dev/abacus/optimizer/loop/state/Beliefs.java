package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is believed of live documents: the estimates of all implementations, and the outputs of
 * operators over several documents.
 *
 * @param byOperator estimates by operator id
 * @param fanouts groups, passed documents and pairs per document, as far as workers counted them
 */
public record Beliefs(Map<String, Map<Arm, Belief>> byOperator, Fanouts fanouts) {

  /** Without a sample. */
  public static final Beliefs NONE = new Beliefs(Map.of(), Fanouts.STATED);

  /** The estimates of the implementations of an operator. */
  public Map<Arm, Belief> of(String operator) {
    return byOperator.getOrDefault(operator, Map.of());
  }

  /** The estimate of an implementation; null if there is none. */
  public @Nullable Belief find(String operator, String implementation) {
    return of(operator).get(Arm.named(implementation));
  }

  /** The estimate of the implementation of a step; null if there is none. */
  public @Nullable Belief find(PlanStep step) {
    return find(step.logical().id(), step.physical().id());
  }

  /** Ids of the operators of a plan whose number of outputs is not known. */
  public List<String> unknownOutputs(PlanChoice plan) {
    return fanouts.unknown(plan.steps().stream().map(PlanStep::logical).toList());
  }
}
