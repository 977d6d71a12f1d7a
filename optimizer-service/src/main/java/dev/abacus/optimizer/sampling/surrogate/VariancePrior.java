package dev.abacus.optimizer.sampling.surrogate;

import java.util.EnumMap;
import java.util.Map;

/**
 * What is believed of the variances before any reading: a guess of each, and how far it may be off.
 * The effects of an arm may be off all together, and each for itself.
 *
 * @param effects of the effects of an arm
 * @param example of what an example adds for all arms alike; 0 for none
 * @param noise of a reading's noise
 */
record VariancePrior(Map<Effect, Double> effects, double example, double noise) {

  /** Of all effects together, in natural logarithms of the variance, as those below. */
  static final double COMMON_DEVIATION = 1.5;

  static final double OWN_DEVIATION = 0.8;
  static final double EXAMPLE_DEVIATION = 1;
  static final double NOISE_DEVIATION = 0.7;

  /**
   * A guess by the variance of arms.
   *
   * @param total of the arms of an operator
   * @param common of what all of them share
   */
  static VariancePrior of(double total, double common, double example, double noise) {
    Map<Effect, Double> effects = new EnumMap<>(Effect.class);
    for (Effect effect : Effect.values()) {
      effects.put(effect, effect == Effect.COMMON ? common : total * share(effect));
    }
    return new VariancePrior(effects, example, noise);
  }

  /** What an effect explains of the arms' variance, roughly; what is learnt may be far from it. */
  private static double share(Effect effect) {
    return switch (effect) {
      case COMMON -> 0;
      case TECHNIQUE, PARAMETER -> 0.08;
      case MODELS, ROLE -> 0.15;
      case FINAL_MODEL -> 0.2;
      case TECHNIQUE_AND_FINAL_MODEL, OWN -> 0.12;
      case PAIR, SAME_MODELS -> 0.1;
    };
  }
}
