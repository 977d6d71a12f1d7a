package dev.abacus.schemas.plan;

import java.util.List;

/**
 * A whole plan, without an epoch: its steps in execution order and what it is expected to do. What
 * a search compares, and what a frontier is made of.
 */
public record PlanChoice(List<PlanStep> steps, Estimate estimate) {

  public PlanChoice {
    steps = List.copyOf(steps);
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
