/**
 * What is believed of implementations: a mean and an error that is a linear combination of random
 * effects with names, so that any two beliefs have a covariance.
 *
 * <p>Reading order: {@link dev.abacus.optimizer.estimate.RandomEffect} and {@link
 * dev.abacus.optimizer.estimate.Loadings} (errors), {@link dev.abacus.optimizer.estimate.Belief},
 * {@link dev.abacus.optimizer.estimate.StoredAnswers} and {@link
 * dev.abacus.optimizer.estimate.CostUncertainty} (live documents, plans).
 */
@NullMarked
package dev.abacus.optimizer.estimate;

import org.jspecify.annotations.NullMarked;
