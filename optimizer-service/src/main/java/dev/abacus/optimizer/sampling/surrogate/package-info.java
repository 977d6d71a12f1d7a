/**
 * The default sampling policy, which shares information between implementations through a Gaussian
 * process. Pure: no clock, no Kafka, randomness only from a seed.
 *
 * <p>Read {@link dev.abacus.optimizer.sampling.surrogate.SurrogateSampling}, the policy, with
 * {@code OperatorWave} for the samples of one operator; {@code FeatureSpace} with {@code Effect}
 * for the properties that implementations share; {@code EffectModel} with {@code EffectVariances}
 * for the Gaussian process of one metric, with {@code JudgeScale} for scores of the judge beside
 * those by labels; {@code OperatorModel} for all metrics of an operator; {@code SharedHardness} for
 * what the errors of operators have in common; {@code PlanContext} for the worth of an arm to the
 * plan; {@code ContenderBeliefs} for what is expected after samples; and {@code KnowledgeGradient}
 * for their value.
 *
 * <p>{@code Cholesky} is our own, since the decision needs only a factor and an inverse of a few
 * hundred rows. A test compares it with Hipparchus.
 */
@NullMarked
package dev.abacus.optimizer.sampling.surrogate;

import org.jspecify.annotations.NullMarked;
