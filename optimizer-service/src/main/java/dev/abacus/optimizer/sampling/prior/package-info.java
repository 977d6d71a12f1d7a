/**
 * What is believed of implementations before the first sample. {@link
 * dev.abacus.optimizer.sampling.prior.PriorSource} names where it comes from: {@link
 * dev.abacus.optimizer.sampling.prior.NaivePriors} from what is published of models, {@link
 * dev.abacus.optimizer.sampling.prior.Transfer} from what other programs on the cluster have {@link
 * dev.abacus.optimizer.sampling.prior.LearntOperator learnt}. {@link
 * dev.abacus.optimizer.sampling.prior.BelievedPriors} is what a file or an earlier decision says,
 * and {@link dev.abacus.optimizer.sampling.prior.LearntKey} where all of this stands on its topic.
 */
@NullMarked
package dev.abacus.optimizer.sampling.prior;

import org.jspecify.annotations.NullMarked;
