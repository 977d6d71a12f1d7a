package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.schemas.plan.Estimate;
import java.util.List;
import java.util.Map;

/**
 * The result of one search.
 *
 * @param chosen id of the implementation by operator; of a mixture, that of most documents
 * @param trueQuality quality of the chosen plan by the landscapes; cost and latency likewise
 * @param estimate the estimate that the search published with the chosen plan
 * @param interval ends of the 95 % intervals of the estimate by dimension; a dimension without one
 *     is missing
 * @param feasible whether the plan meets every bound in truth
 * @param believedFeasible whether the search states that the plan meets every bound
 * @param samples number of samples
 * @param spentUsd cost of the samples
 * @param calls model calls of the samples
 */
record TrialResult(
    long seed,
    Map<String, String> chosen,
    double trueQuality,
    double trueCost,
    double trueLatency,
    Estimate estimate,
    Map<String, List<Double>> interval,
    boolean feasible,
    boolean believedFeasible,
    int samples,
    double spentUsd,
    Calls calls) {

  /**
   * Model calls.
   *
   * @param made calls that were made and paid
   * @param shared calls whose answer another sample of the example had obtained
   */
  record Calls(long made, long shared) {}

  /** The true value of the chosen plan. */
  Estimate truth() {
    return new Estimate(trueQuality, trueCost, trueLatency);
  }
}
