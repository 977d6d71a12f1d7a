package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Objective;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An immutable, self-contained plan. A document stamped with its epoch is processed by it and by no
 * other.
 *
 * @param program name of the program
 * @param epoch above 0 and unique within the program; later plans have higher epochs
 * @param choice the steps and their estimate
 * @param objective what it was chosen for
 * @param frontier the Pareto-optimal plans it was chosen from, itself among them
 */
public record PhysicalPlan(
    String program,
    long epoch,
    PlanChoice choice,
    Objective objective,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PlanChoice> frontier) {

  public PhysicalPlan {
    frontier = frontier == null ? List.of() : List.copyOf(frontier);
    if (epoch < 1) {
      throw new IllegalArgumentException("epoch " + epoch + "; epochs start at 1");
    }
  }

  public List<PlanStep> steps() {
    return choice.steps();
  }

  public Estimate estimate() {
    return choice.estimate();
  }

  /** Whether the estimate meets every bound of the objective. */
  public boolean feasible() {
    return violated().isEmpty();
  }

  /** The bounds that the estimate misses. */
  public List<Bound> violated() {
    return objective.bounds().stream()
        .filter(bound -> !bound.holds(estimate().get(bound.dimension())))
        .collect(Collectors.toUnmodifiableList());
  }
}
