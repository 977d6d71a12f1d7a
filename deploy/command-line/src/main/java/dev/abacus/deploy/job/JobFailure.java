package dev.abacus.deploy.job;

/**
 * A dead letter of a job.
 *
 * @param key the record key
 * @param operator id of the operator that failed; empty if the header is missing
 * @param reason the message of the data plane
 * @param costUsd USD spent on the document
 */
public record JobFailure(String key, String operator, String reason, double costUsd) {}
