/**
 * The paper's multi-armed bandit over operators (section 3.3, Algorithm 1).
 *
 * <p>Read {@link dev.abacus.optimizer.sampling.bandit.BanditSampling} for the algorithm, {@code
 * OperatorFrontier} for the rounds of one operator and {@code ConfidenceBounds} for the formula.
 */
@NullMarked
package dev.abacus.optimizer.sampling.bandit;

import org.jspecify.annotations.NullMarked;
