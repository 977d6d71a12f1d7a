package dev.abacus.schemas.plan;

import java.util.List;

/**
 * A plan without an epoch. Searches compare such plans, and frontiers contain them.
 *
 * @param steps in execution order
 * @param estimate per source document
 */
public record PlanChoice(List<PlanStep> steps, Estimate estimate) {

  public PlanChoice {
    steps = List.copyOf(steps);
  }

  /** Whether prompts of a step show labelled examples. */
  public boolean showsExamples() {
    return steps.stream().anyMatch(step -> step.physical().examples() > 0);
  }

  /** {@code logical=physical} of every step, in execution order; unique within a program. */
  public String signature() {
    StringBuilder signature = new StringBuilder();
    for (PlanStep step : steps) {
      signature
          .append(signature.isEmpty() ? "" : " -> ")
          .append(step.logical().id())
          .append('=')
          .append(step.physical().id());
    }
    return signature.toString();
  }
}
