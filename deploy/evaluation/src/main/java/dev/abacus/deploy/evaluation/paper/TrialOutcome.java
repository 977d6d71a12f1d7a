package dev.abacus.deploy.evaluation.paper;

import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Objective;
import java.util.List;

/**
 * What a trial came to.
 *
 * @param score on documents that the search did not see
 * @param samples that the search drew
 * @param searchUsd that it cost
 * @param searchSeconds that it would have taken
 */
record TrialOutcome(PlanScore score, int samples, double searchUsd, double searchSeconds) {

  /** Share of the trials whose plan met every bound on the test documents. */
  static double boundsMet(List<TrialOutcome> trials, Objective objective) {
    return trials.stream()
        .mapToInt(
            trial -> objective.bounds().stream().allMatch(bound -> holds(bound, trial)) ? 1 : 0)
        .average()
        .orElse(0);
  }

  private static boolean holds(Bound bound, TrialOutcome trial) {
    double value = trial.score().get(bound.dimension());
    return Double.isFinite(value) && bound.holds(value);
  }
}
