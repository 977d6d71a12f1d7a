package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Objective;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An immutable, self-contained plan. A document stamped with its epoch is processed by it and by no
 * other.
 *
 * @param program name of the program
 * @param epoch above 0 and unique within the program; later plans have higher epochs
 * @param choice the steps and their estimate
 * @param objective what it was chosen for
 * @param frontier the Pareto-optimal plans it was chosen from, itself among them
 * @param basis how sure the estimates are: by operator, then by implementation, of those that stand
 *     in the plan or its frontier and were sampled; empty if not known
 */
public record PhysicalPlan(
    String program,
    long epoch,
    PlanChoice choice,
    Objective objective,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PlanChoice> frontier,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Map<String, StepEstimate>> basis) {

  /** A plan of whose estimates nothing else is known. */
  public PhysicalPlan(
      String program,
      long epoch,
      PlanChoice choice,
      Objective objective,
      List<PlanChoice> frontier) {
    this(program, epoch, choice, objective, frontier, Map.of());
  }

  public PhysicalPlan {
    frontier = frontier == null ? List.of() : List.copyOf(frontier);
    Map<String, Map<String, StepEstimate>> copy = new TreeMap<>();
    if (basis != null) {
      basis.forEach(
          (operator, byId) -> copy.put(operator, Collections.unmodifiableMap(new TreeMap<>(byId))));
    }
    basis = Collections.unmodifiableMap(copy);
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

  /** How sure the estimates of a step's implementation are; null if not known. */
  public @Nullable StepEstimate basis(PlanStep step) {
    return basis.getOrDefault(step.logical().id(), Map.of()).get(step.physical().id());
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
