package dev.abacus.optimizer.sampling.surrogate;

import java.util.EnumMap;
import java.util.Map;

/**
 * Prior of the variances: a median of each, with the standard deviations of their logarithms below.
 * The variances of the effects have a common deviation and one of their own.
 *
 * @param effects variance of each effect
 * @param example variance of an effect of the example; 0 for none
 * @param modelAndExample variance of an effect of a model on an example; 0 for none
 * @param noise variance of the noise
 * @param noiseDeviation of the logarithm of the noise
 */
record VariancePrior(
    Map<Effect, Double> effects,
    double example,
    double modelAndExample,
    double noise,
    double noiseDeviation) {

  /** Common to all effects; standard deviation of the natural logarithm, as those below. */
  static final double COMMON_DEVIATION = 1.5;

  static final double OWN_DEVIATION = 0.8;
  static final double EXAMPLE_DEVIATION = 1;

  static final double NOISE_DEVIATION = 0.7;

  /** Variance of the effect of a call for several documents, in units of that of the noise. */
  static final double CALL_IN_NOISE = 0.1;

  /** Variance of the offset of the judge's scores, in units of that of the noise. */
  static final double JUDGE_IN_NOISE = 0.3;

  /**
   * A prior from the variance of arms.
   *
   * @param total variance of the arms of an operator
   * @param common variance of their mean
   */
  static VariancePrior of(
      double total,
      double common,
      double example,
      double modelAndExample,
      double noise,
      double noiseDeviation) {
    Map<Effect, Double> effects = new EnumMap<>(Effect.class);
    for (Effect effect : Effect.values()) {
      effects.put(effect, effect == Effect.COMMON ? common : total * share(effect));
    }
    return new VariancePrior(effects, example, modelAndExample, noise, noiseDeviation);
  }

  /** This prior with a variance of the effect of service tiers. */
  VariancePrior withTiers(double variance) {
    Map<Effect, Double> others = new EnumMap<>(effects);
    others.put(Effect.TIER, variance);
    return new VariancePrior(others, example, modelAndExample, noise, noiseDeviation);
  }

  /** Assumed share of an effect in the variance of arms. */
  private static double share(Effect effect) {
    return switch (effect) {
      case COMMON, TIER -> 0;
      case TECHNIQUE, PARAMETER -> 0.08;
      case MODELS, ROLE -> 0.15;
      case FINAL_MODEL -> 0.2;
      case TECHNIQUE_AND_FINAL_MODEL, OWN -> 0.12;
      case PAIR, SAME_MODELS -> 0.1;
    };
  }
}
