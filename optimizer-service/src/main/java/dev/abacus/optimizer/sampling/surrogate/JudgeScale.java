package dev.abacus.optimizer.sampling.surrogate;

import java.util.stream.DoubleStream;

/**
 * The scale of the judge. A judge that takes a share s of the good answers and a share f of the bad
 * ones for good gives an implementation of quality q the mean f + (s − f) q (Rogan and Gladen 1978,
 * "Estimating prevalence from the results of a screening test"). So its scores have an offset, and
 * tell implementations apart by the slope s − f of what labels do: a judge that is kind to bad
 * answers makes the best implementations look worse than they are, beside the others.
 *
 * <p>{@link EffectModel} estimates the offset. The slope is the mean under the likelihoods of a few
 * values with the prior variances, and a prior: 0.8 is that of a judge that is right about nine
 * answers in ten, whether they are good or bad.
 */
final class JudgeScale {

  private static final double[] SLOPES = {0.4, 0.6, 0.8, 1};
  private static final double ASSUMED = 0.8;
  private static final double DEVIATION = 0.2;

  private JudgeScale() {}

  /** Scores by labels and by the judge, these on the scale of those but for an offset. */
  static Measurements ofLabels(
      FeatureSpace space, Measurements scores, MeanFunction centre, VariancePrior prior) {
    if (!scores.areOnTwoScales()) {
      return scores;
    }
    long judged = scores.values().stream().filter(Measurements.Value::judged).count();
    double[] logs =
        DoubleStream.of(SLOPES)
            .map(slope -> {
              Measurements moved = moved(scores, slope, centre, prior);
              double fit =
                  EffectVariances.assumed(space, moved, centre, prior)
                      .logLikelihood(moved.residuals(centre));
              double unusual = (slope - ASSUMED) / DEVIATION;
              return fit - judged * Math.log(slope) - unusual * unusual / 2;
            })
            .toArray();
    return moved(scores, SharedHardness.mean(SLOPES, logs), centre, prior);
  }

  /**
   * The same with a slope. It takes from what examples and models do to a score too, but scores of
   * the judge scatter as much as others: the rest is noise.
   */
  private static Measurements moved(
      Measurements scores, double slope, MeanFunction centre, VariancePrior prior) {
    double taken = (1 - slope * slope) * (prior.example() + prior.modelAndExample());
    double noise = (1 + taken / prior.noise()) / (slope * slope);
    return new Measurements(
        scores.values().stream()
            .map(one -> one.judged() ? one.stretched(centre.of(one.arm()), 1 / slope, noise) : one)
            .toList());
  }
}
