/**
 * What is learnt from samples beside their scores: classifiers that answer for a model where they
 * are sure, and the thresholds of embedding joins.
 *
 * <p>Read {@link dev.abacus.optimizer.learned.Proportions} for what "shown" means here, {@link
 * dev.abacus.optimizer.learned.SureThreshold} for how a threshold is found, then {@link
 * dev.abacus.optimizer.learned.CrossValidation} and {@link
 * dev.abacus.optimizer.learned.FittedClassifier}. {@link dev.abacus.optimizer.learned.JoinTraining}
 * is the same for joins. Pure and deterministic: the same examples give the same parameters, byte
 * for byte.
 */
@NullMarked
package dev.abacus.optimizer.learned;

import org.jspecify.annotations.NullMarked;
