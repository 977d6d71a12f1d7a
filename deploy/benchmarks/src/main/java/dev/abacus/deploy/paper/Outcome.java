package dev.abacus.deploy.paper;

/**
 * What a trial came to.
 *
 * @param plan its signature
 * @param promised whether the plan's own estimate meets every bound
 * @param score on documents that the search did not see
 * @param samples that the search drew
 * @param searchUsd that it cost
 * @param searchSeconds that it would have taken
 */
record Outcome(
    long seed,
    String plan,
    boolean promised,
    PlanScore score,
    int samples,
    double searchUsd,
    double searchSeconds) {}
