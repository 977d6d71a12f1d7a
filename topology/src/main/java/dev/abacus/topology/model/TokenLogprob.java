package dev.abacus.topology.model;

/**
 * How sure a model was of a token that it wrote.
 *
 * @param token as text
 * @param logprob natural logarithm of its probability; at most 0
 */
public record TokenLogprob(String token, double logprob) {}
