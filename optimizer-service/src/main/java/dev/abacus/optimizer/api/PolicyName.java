package dev.abacus.optimizer.api;

import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.bandit.BanditSampling;
import dev.abacus.optimizer.sampling.random.RandomSampling;
import dev.abacus.optimizer.sampling.surrogate.SurrogateSampling;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.input.Keyword;

/**
 * The sampling policies by the names that users write. To register a policy, add a constant here
 * and a line to {@link #create}.
 */
public enum PolicyName implements Keyword {
  /**
   * A Gaussian process over all implementations chooses the samples of highest value to the plan.
   */
  SURROGATE,
  /** The multi-armed bandit of the paper. */
  PAPER,
  /** k random implementations with B ÷ k samples each. */
  RANDOM;

  /** The default policy. */
  public static final PolicyName DEFAULT = SURROGATE;

  /**
   * Creates the policy with default parameters.
   *
   * @param samplesPerOperator planned samples per operator, for {@link #RANDOM}
   */
  public SamplingPolicy create(long seed, int samplesPerOperator, Priors priors) {
    return create(
        seed,
        samplesPerOperator,
        priors,
        BanditSampling.FRONTIER_SIZE,
        BanditSampling.NEW_ARM_EXAMPLES);
  }

  /**
   * Creates the policy.
   *
   * @param samplesPerOperator planned samples per operator, for {@link #RANDOM}
   * @param frontierSize k, for {@link #PAPER} and {@link #RANDOM}
   * @param newArmExamples j, for {@link #PAPER}
   */
  public SamplingPolicy create(
      long seed, int samplesPerOperator, Priors priors, int frontierSize, int newArmExamples) {
    Reservoir reservoir =
        priors.byOperator().isEmpty() ? Reservoir.seeded(seed) : Reservoir.believing(priors, seed);
    return switch (this) {
      case SURROGATE -> new SurrogateSampling(seed, priors);
      case PAPER -> new BanditSampling(reservoir, frontierSize, newArmExamples);
      case RANDOM -> new RandomSampling(Reservoir.seeded(seed), frontierSize, samplesPerOperator);
    };
  }

  /**
   * Creates the policy for priors of unknown quality: misleading priors cost samples but do not
   * block the search. {@link #SURROGATE} always behaves so.
   *
   * @param newArmExamples j, for {@link #PAPER}
   */
  public SamplingPolicy createHedging(
      long seed, int samplesPerOperator, Priors priors, int frontierSize, int newArmExamples) {
    return this == PAPER && !priors.byOperator().isEmpty()
        ? new BanditSampling(Reservoir.hedging(priors, seed), frontierSize, newArmExamples)
        : create(seed, samplesPerOperator, priors, frontierSize, newArmExamples);
  }
}
