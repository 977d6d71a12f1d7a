package dev.abacus.deploy.evaluation.experiment;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Map;

/**
 * How one search ended.
 *
 * @param chosen id of the implementation by operator
 * @param trueQuality of the chosen plan, by the landscapes, as its cost and latency are
 * @param feasible whether the plan meets every bound in truth
 * @param believedFeasible whether the search thought so
 * @param samples that were drawn
 * @param spentUsd that they cost
 * @param slowestDecisionMillis the longest that the policy took to say what to sample next; not in
 *     the JSON, which is the same whenever the seed is
 */
record TrialResult(
    long seed,
    Map<String, String> chosen,
    double trueQuality,
    double trueCost,
    double trueLatency,
    boolean feasible,
    boolean believedFeasible,
    int samples,
    double spentUsd,
    @JsonIgnore double slowestDecisionMillis) {}
