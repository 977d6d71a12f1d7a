package dev.abacus.optimizer.estimate;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.Quantiles;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.StepEstimate;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * An estimate of one implementation with its error. Errors of two beliefs have a covariance ({@link
 * Loadings#covariance}), also of implementations of different operators, so a difference of two
 * plans is known better than either.
 *
 * @param mean the expected values
 * @param samples number of observations of this implementation; 0 if the belief only follows from
 *     observations of other implementations or from priors
 * @param freedom degrees of freedom of the variances, as those of Student's t
 * @param quality error of the mean quality; without an effect if the deviation is not modelled
 * @param cost error of the natural logarithm of the mean cost; likewise
 * @param latency error of the natural logarithm of the mean latency; likewise
 * @param outputs error of the mean number of outputs per input
 */
@RecordBuilder
public record Belief(
    OperatorEstimate mean,
    int samples,
    double freedom,
    Loadings quality,
    Loadings cost,
    Loadings latency,
    Loadings outputs)
    implements BeliefBuilder.With {

  /**
   * Degrees of freedom of a variance before the first sample. The prior of the noise is log-normal
   * with deviation 0.7, as wide as that of a variance of 2 ÷ 0.7² measurements.
   */
  public static final int PRIOR_FREEDOM = 4;

  /** Deviations where none is modelled: of a quality, and of the logarithm of an amount. */
  private static final double UNKNOWN_QUALITY = 0.25;

  private static final double UNKNOWN_RATIO = 0.5;

  public Belief {
    if (!(freedom > 0)) {
      throw new IllegalArgumentException("degrees of freedom " + freedom);
    }
  }

  /** A belief whose degrees of freedom are those of the samples of its own implementation. */
  public Belief(
      OperatorEstimate mean,
      int samples,
      Loadings quality,
      Loadings cost,
      Loadings latency,
      Loadings outputs) {
    this(mean, samples, PRIOR_FREEDOM + samples, quality, cost, latency, outputs);
  }

  /** A belief with an error of its own in each dimension, and a certain number of outputs. */
  public static Belief alone(
      OperatorEstimate mean, int samples, double quality, double cost, double latency) {
    return new Belief(
        mean,
        samples,
        Loadings.own(quality),
        Loadings.own(cost),
        Loadings.own(latency),
        Loadings.NONE);
  }

  /** A belief without uncertainty. */
  public static Belief certain(OperatorEstimate mean, int samples) {
    return alone(mean, samples, 0, 0, 0);
  }

  /** This belief with a wide error of its own in each dimension whose error is not modelled. */
  public Belief orUnknown() {
    return withQuality(known(quality, UNKNOWN_QUALITY))
        .withCost(known(cost, UNKNOWN_RATIO))
        .withLatency(known(latency, UNKNOWN_RATIO));
  }

  private static Loadings known(Loadings error, double otherwise) {
    return error.deviation() > 0 ? error : Loadings.own(otherwise);
  }

  /** The error in a dimension: of quality as it is, of cost and latency of the logarithm. */
  public Loadings error(Dimension dimension) {
    return switch (dimension) {
      case QUALITY -> quality;
      case COST -> cost;
      case LATENCY -> latency;
    };
  }

  /** The means with their 95 % intervals by Student's t; a single sample mean has none. */
  public StepEstimate intervals() {
    return new StepEstimate(
        samples,
        isKnown(quality) ? around(mean.quality(), half(quality)) : Range.of(mean.quality()),
        isKnown(cost) ? times(mean.cost(), half(cost)) : Range.of(mean.cost()),
        isKnown(latency) ? times(mean.latency(), half(latency)) : Range.of(mean.latency()),
        mean.selectivity());
  }

  private boolean isKnown(Loadings error) {
    return error.deviation() > 0 || samples > 1;
  }

  private double half(Loadings error) {
    return Quantiles.student((int) freedom) * error.deviation();
  }

  private static Range around(double mean, double half) {
    return Range.within(mean, mean - half, mean + half, 0, 1);
  }

  private static Range times(double mean, double half) {
    double factor = Math.exp(half);
    return Range.within(mean, mean / factor, mean * factor, 0, Double.MAX_VALUE);
  }
}
