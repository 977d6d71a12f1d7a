/**
 * The sampling policy that shares what it learns of one implementation with all others. Pure: no
 * clock, no Kafka, no randomness but a seed; dense linear algebra of its own, as it has a few
 * hundred readings at most.
 *
 * <p>Read {@link dev.abacus.optimizer.sampling.surrogate.SurrogateSampling}, the policy; then
 * {@link dev.abacus.optimizer.sampling.surrogate.FeatureSpace} with {@link
 * dev.abacus.optimizer.sampling.surrogate.Effect} for what implementations have in common, {@link
 * dev.abacus.optimizer.sampling.surrogate.EffectModel} for how one metric follows from it, {@link
 * dev.abacus.optimizer.sampling.surrogate.OperatorModel} for all metrics of an operator, {@link
 * dev.abacus.optimizer.sampling.surrogate.PlanContext} for what they are worth to the plan and
 * {@link dev.abacus.optimizer.sampling.surrogate.KnowledgeGradient} for what a sample is worth.
 */
@NullMarked
package dev.abacus.optimizer.sampling.surrogate;

import org.jspecify.annotations.NullMarked;
