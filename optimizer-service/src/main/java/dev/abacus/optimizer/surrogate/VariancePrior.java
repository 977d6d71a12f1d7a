package dev.abacus.optimizer.surrogate;

import java.util.EnumMap;
import java.util.Map;

/**
 * What is believed of the variances before any reading: a guess of each and that they may be off,
 * all together by {@link #COMMON_DEVIATION} and each by {@link #OWN_DEVIATION}, in natural
 * logarithms.
 *
 * @param effects of the effects of an arm
 * @param example of what an example adds for all arms alike; 0 for none
 * @param noise of a reading's noise
 */
record VariancePrior(Map<Effect, Double> effects, double example, double noise) {

  static final double COMMON_DEVIATION = Double.parseDouble(System.getProperty("p.common","1.5"));
  static final double OWN_DEVIATION = Double.parseDouble(System.getProperty("p.own","0.8"));
  static final double EXAMPLE_DEVIATION = 1;
  static final double NOISE_DEVIATION = Double.parseDouble(System.getProperty("p.noise","0.7"));

  /** Shares of an arm's variance, as a guess that suits most landscapes somewhat. */
  static VariancePrior of(double total, double common, double example, double noise) {
    Map<Effect, Double> shares = new EnumMap<>(Effect.class);
    String[] s = System.getProperty("p.shares","0.08,0.15,0.2,0.12,0.15,0.08,0.1,0.12").split(",");
    Effect[] e = Effect.values();
    shares.put(Effect.COMMON, common);
    for (int i = 0; i < s.length; i++) shares.put(e[i+1], total * Double.parseDouble(s[i]));
    return new VariancePrior(shares, example, noise);
  }
}
