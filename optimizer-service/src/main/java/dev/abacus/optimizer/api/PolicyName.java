package dev.abacus.optimizer.api;

import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.bandit.BanditSampling;
import dev.abacus.optimizer.sampling.random.RandomSampling;
import dev.abacus.optimizer.sampling.surrogate.SurrogateSampling;
import dev.abacus.optimizer.search.cost.Priors;
import java.util.Arrays;
import java.util.Locale;

/** The sampling policies by the names that users write. */
public enum PolicyName {
  /** Ours: a model shared by all implementations says which sample is worth most to the plan. */
  SURROGATE,
  /** The paper's bandit. */
  PAPER,
  /** k implementations at random, B ÷ k samples each. */
  RANDOM;

  /** What is used where nothing else is asked for. */
  public static final PolicyName DEFAULT = SURROGATE;

  /** The name users write. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The names of all of them. */
  public static String[] labels() {
    return Arrays.stream(values()).map(PolicyName::label).toArray(String[]::new);
  }

  /**
   * The policy of that name.
   *
   * @throws IllegalArgumentException if there is none; the message lists those there are
   */
  public static PolicyName ofLabel(String label) {
    return Arrays.stream(values())
        .filter(policy -> policy.label().equals(label))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "'%s' is no policy; there are %s".formatted(label, String.join(", ", labels()))));
  }

  /**
   * The policy with its default parameters.
   *
   * @param samplesPerOperator what {@link #RANDOM} plans for
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
   * The policy.
   *
   * @param samplesPerOperator what {@link #RANDOM} plans for
   * @param frontierSize k of {@link #PAPER} and {@link #RANDOM}
   * @param newArmExamples j of {@link #PAPER}
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
   * The policy, made for priors of which nobody knows how good they are: wrong ones cost samples,
   * but do not hold the search up. {@link #SURROGATE} is so by itself.
   *
   * @param newArmExamples j of {@link #PAPER}
   */
  public SamplingPolicy createWary(
      long seed, int samplesPerOperator, Priors priors, int frontierSize, int newArmExamples) {
    return this == PAPER && !priors.byOperator().isEmpty()
        ? new BanditSampling(Reservoir.hedging(priors, seed), frontierSize, newArmExamples)
        : create(seed, samplesPerOperator, priors, frontierSize, newArmExamples);
  }
}
