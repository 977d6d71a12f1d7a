/**
 * The interface of sampling policies: which implementation to sample next, on which validation
 * example (paper, section 3.3). Pure: no clock, no Kafka, randomness only from a seed.
 *
 * <p>Read {@link dev.abacus.optimizer.sampling.Arm} and {@link dev.abacus.optimizer.sampling.Pull}
 * for the terms; {@link dev.abacus.optimizer.sampling.SamplingState} for what a policy sees; {@link
 * dev.abacus.optimizer.sampling.SamplingPolicy} for the contract and {@link
 * dev.abacus.optimizer.sampling.Proposal} for what a policy answers. {@link
 * dev.abacus.optimizer.sampling.Reservoir} is the order in which all policies draw new arms.
 *
 * <p>The policies are {@code bandit} (the paper's), {@code surrogate} (the default) and {@code
 * random} (the baseline). {@code prior} has the beliefs before the first sample.
 *
 * <p>To add a policy:
 *
 * <ol>
 *   <li>Implement {@link dev.abacus.optimizer.sampling.SamplingPolicy} in a package {@code
 *       sampling.<name>}.
 *   <li>Add a constant to {@code api.PolicyName} and a line to its {@code create}. The setting
 *       {@code optimizer.policy} and the experiments then accept the name.
 * </ol>
 *
 * {@code SamplingPolicyContractTest} runs for every constant of {@code PolicyName}.
 */
@NullMarked
package dev.abacus.optimizer.sampling;

import org.jspecify.annotations.NullMarked;
