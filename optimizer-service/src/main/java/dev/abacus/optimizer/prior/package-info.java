/**
 * What is believed of implementations before the first sample. {@link
 * dev.abacus.optimizer.prior.PriorSource} names where it comes from: {@link
 * dev.abacus.optimizer.prior.NaivePriors} from what is published of models, {@link
 * dev.abacus.optimizer.prior.Transfer} from what other programs on the cluster have {@link
 * dev.abacus.optimizer.prior.LearntOperator learnt}. {@link
 * dev.abacus.optimizer.prior.BelievedPriors} is what a file or an earlier decision says, and {@link
 * dev.abacus.optimizer.prior.LearntKey} where all of this stands on its topic.
 */
@NullMarked
package dev.abacus.optimizer.prior;

import org.jspecify.annotations.NullMarked;
