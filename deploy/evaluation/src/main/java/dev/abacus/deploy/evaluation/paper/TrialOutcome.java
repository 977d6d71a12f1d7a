package dev.abacus.deploy.evaluation.paper;

import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Objective;
import java.util.List;

/**
 * Outcome of one trial.
 *
 * @param score score of the plan on documents that the search did not sample
 * @param samples number of samples of the search
 * @param searchUsd cost of the search in USD
 * @param searchSeconds modelled time of the search in seconds
 */
record TrialOutcome(PlanScore score, int samples, double searchUsd, double searchSeconds) {

  /** Returns the share of trials whose plan met every bound on the test documents. */
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
