package dev.abacus.schemas.plan;

import dev.abacus.schemas.objective.Dimension;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A plan without an epoch. Searches compare such plans, and frontiers contain them.
 *
 * @param steps in execution order
 * @param estimate per source document
 * @param spread how sure the estimate is; null if unknown
 */
public record PlanChoice(List<PlanStep> steps, Estimate estimate, @Nullable Spread spread) {

  public PlanChoice {
    steps = List.copyOf(steps);
  }

  /** A plan of which nobody knows how sure its estimate is. */
  public PlanChoice(List<PlanStep> steps, Estimate estimate) {
    this(steps, estimate, null);
  }

  /** The plan with what is known of the errors of its estimate. */
  public PlanChoice with(@Nullable Spread known) {
    return new PlanChoice(steps, estimate, known);
  }

  /** The mean of a dimension with its 95 % interval, if it is known how sure the mean is. */
  public Range range(Dimension dimension) {
    double mean = estimate.get(dimension);
    Double deviation = spread == null ? null : spread.get(dimension);
    if (spread == null || deviation == null) {
      return Range.of(mean);
    }
    double half = Quantiles.student(spread.freedom()) * deviation;
    double most = dimension == Dimension.QUALITY ? 1 : Double.MAX_VALUE;
    return Range.within(mean, mean - half, mean + half, 0, most);
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
