package dev.abacus.optimizer.sampling.prior;

import dev.abacus.optimizer.search.cost.Priors;

/**
 * What a search took over from other programs.
 *
 * @param round the {@code reoptimize} token that was in force then; another one takes over anew
 * @param priors for the program's own operators
 */
public record BelievedPriors(String round, Priors priors) {}
