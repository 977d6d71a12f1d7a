package dev.abacus.optimizer.sampling.prior;

import dev.abacus.optimizer.search.cost.Priors;

/**
 * Priors that a search derived from what other programs learned.
 *
 * @param round the {@code reoptimize} token at that time; a new token derives priors anew
 * @param priors for the program's own operators
 */
public record RoundPriors(String round, Priors priors) {}
