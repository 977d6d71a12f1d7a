package dev.abacus.deploy.evaluation.paper;

/**
 * What a trial came to.
 *
 * @param score on documents that the search did not see
 * @param samples that the search drew
 * @param searchUsd that it cost
 * @param searchSeconds that it would have taken
 */
record Outcome(long seed, PlanScore score, int samples, double searchUsd, double searchSeconds) {}
