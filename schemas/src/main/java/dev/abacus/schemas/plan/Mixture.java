package dev.abacus.schemas.plan;

import java.util.List;

/**
 * A second plan for a share of the documents. Where a bound on a mean lies between two plans, a
 * mixture of them uses it up: the best means are on the convex hull of the frontier. All documents
 * of a key get the same plan.
 *
 * @param share of the keys, in (0, 1), whose documents get {@code plan}
 * @param plan with its own estimate; no mixture itself
 * @param others own estimate of the plan of all other documents
 */
public record Mixture(double share, PlanChoice plan, Estimate others) {

  public Mixture {
    if (!(share > 0 && share < 1)) {
      throw new IllegalArgumentException("a share of " + share + "; it must be in (0, 1)");
    }
    if (plan.mixture() != null) {
      throw new IllegalArgumentException("a mixture has two plans, not more");
    }
  }

  /**
   * Whether a document gets {@link #plan}.
   *
   * @param draw of its key, in [0, 1)
   */
  public boolean takes(double draw) {
    return draw < share;
  }

  /** {@code 30 % of the keys}. */
  public String keys() {
    return "%d %% of the keys".formatted(Math.round(100 * share));
  }

  /** Whether the same documents get the same steps. */
  boolean hasStepsOf(Mixture other) {
    return share == other.share && plan.steps().equals(other.plan.steps());
  }

  /** The steps in which its plan differs from others. */
  List<PlanStep> differing(List<PlanStep> steps) {
    return plan.steps().stream().filter(step -> !steps.contains(step)).toList();
  }
}
