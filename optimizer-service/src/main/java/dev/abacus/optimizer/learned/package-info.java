/**
 * Learns parameters from the evidence of samples: classifiers that answer instead of a model where
 * they are confident, and the thresholds of embedding joins.
 *
 * <p>Reading order: {@link dev.abacus.optimizer.learned.BinomialBound} (confidence bound of a
 * precision), {@link dev.abacus.optimizer.learned.PrecisionThreshold} (how a threshold is found),
 * {@link dev.abacus.optimizer.learned.LogisticRegression}, {@link
 * dev.abacus.optimizer.learned.CrossValidation}, {@link
 * dev.abacus.optimizer.learned.FittedClassifier}, and for joins {@link
 * dev.abacus.optimizer.learned.JoinThresholds}. Deterministic: the same examples yield the same
 * parameters, byte for byte.
 */
@NullMarked
package dev.abacus.optimizer.learned;

import org.jspecify.annotations.NullMarked;
