package dev.abacus.deploy.job;

/**
 * A document that went to the dead letters.
 *
 * @param operator the operator that failed on it; empty if the record does not say
 * @param reason why, in the words of the data plane
 */
public record FailedDocument(String key, String operator, String reason, double costUsd) {}
