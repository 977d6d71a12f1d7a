/**
 * Prior beliefs about implementations, before the first sample (paper, sections 3.3 and 4.4).
 *
 * <p>{@link dev.abacus.optimizer.sampling.prior.PriorSource} names the sources: {@link
 * dev.abacus.optimizer.sampling.prior.NaivePriors} uses published data of models, {@link
 * dev.abacus.optimizer.sampling.prior.TransferredPriors} uses what the searches for other programs
 * learned, one {@link dev.abacus.optimizer.sampling.prior.LearnedOperator} per operator. {@link
 * dev.abacus.optimizer.sampling.prior.RoundPriors} is the result as a record. {@link
 * dev.abacus.optimizer.sampling.prior.LearnedKey} has the keys of their topic.
 */
@NullMarked
package dev.abacus.optimizer.sampling.prior;

import org.jspecify.annotations.NullMarked;
