package dev.abacus.optimizer.loop.wholeplan;

import dev.abacus.optimizer.search.cost.Belief;
import dev.abacus.optimizer.search.cost.CostUncertainty;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Quantiles;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.Range;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * A plan with a distribution of each of its metrics: Student's t about the mean, because the
 * variances are estimates too.
 *
 * @param values by dimension
 * @param freedom degrees of freedom of the variances, at least 1
 */
public record UncertainPlan(PlanChoice plan, Map<Dimension, Value> values, int freedom) {

  private static final double LEAST_QUALITY = 1e-3;

  /** Deviations of a difference that the model of the estimate does not explain. */
  private static final double CONFLICT = 2;

  /**
   * Degrees of freedom of a variance before the first sample. The prior of the noise is log-normal
   * with deviation 0.7, as wide as that of a variance of 2 ÷ 0.7² measurements.
   */
  private static final int PRIOR_FREEDOM = 4;

  private static final double LEAST_DEVIATION = 1e-9;

  /** Deviations of a difference that show it: the one-sided 95 % quantile. */
  private static final double SHOWN = 1.645;

  /** Deviations where none is known: of a quality, and of the logarithm of cost and latency. */
  private static final double UNKNOWN_QUALITY = 0.25;

  private static final double UNKNOWN_RATIO = 0.5;

  /** A mean with its standard deviation. */
  record Value(double mean, double deviation) {

    /**
     * This estimate after a comparison with the plan's own runs, which it already contains. If both
     * agree, it stays: the runs are part of why the plan was chosen, so their mean tends to be too
     * good. If they differ by more than twice the deviation of their difference, the model behind
     * the estimate does not fit the plan. The excess then counts as the variance of the estimate
     * (as the variance between studies of DerSimonian and Laird 1986).
     */
    Value checkedBy(MeasuredMean runs) {
      double noise = Math.max(LEAST_DEVIATION, runs.error() * runs.error());
      double difference = runs.mean() - mean;
      double excess =
          difference * difference - CONFLICT * CONFLICT * (noise + deviation * deviation);
      if (excess <= 0) {
        return this;
      }
      double weight = noise / (noise + excess);
      return new Value(
          weight * mean + (1 - weight) * runs.mean(),
          Math.sqrt(weight * deviation * deviation + (1 - weight) * noise));
    }
  }

  /**
   * The plan by the estimates of its implementations. Their errors are independent, so variances
   * add up: relative ones of quality, which is a product, absolute ones of cost (see {@link
   * CostUncertainty}) and latency.
   */
  public static UncertainPlan of(PlanChoice plan, Collection<Belief> beliefs) {
    return of(plan, beliefs, beliefs);
  }

  /**
   * The plan by the estimates of its implementations.
   *
   * @param chain the estimates and the {@linkplain dev.abacus.optimizer.search.cost.Fanouts#links
   *     fan-outs} in order of execution, for the cost
   */
  public static UncertainPlan of(
      PlanChoice plan, Collection<Belief> beliefs, Collection<Belief> chain) {
    double quality = 0;
    double latency = 0;
    double latencies = 0;
    int fewest = Integer.MAX_VALUE - PRIOR_FREEDOM;
    for (Belief belief : beliefs) {
      fewest = Math.min(fewest, belief.samples());
      OperatorEstimate mean = belief.mean();
      quality +=
          square(
              known(belief.qualityDeviation(), UNKNOWN_QUALITY)
                  / Math.max(LEAST_QUALITY, mean.quality()));
      latency += square(mean.latency() * known(belief.latencyDeviation(), UNKNOWN_RATIO));
      latencies += mean.latency();
    }
    Map<Dimension, Value> values = new EnumMap<>(Dimension.class);
    for (Dimension dimension : Dimension.values()) {
      double mean = plan.estimate().get(dimension);
      double deviation =
          switch (dimension) {
            case QUALITY -> mean * Math.sqrt(quality);
            case COST ->
                CostUncertainty.deviation(
                    chain, belief -> known(belief.costDeviation(), UNKNOWN_RATIO));
            case LATENCY -> latencies > 0 ? mean * Math.sqrt(latency) / latencies : 0;
          };
      values.put(dimension, new Value(mean, deviation));
    }
    return new UncertainPlan(plan, values, PRIOR_FREEDOM + fewest);
  }

  private static double known(double deviation, double otherwise) {
    return deviation > 0 ? deviation : otherwise;
  }

  private static double square(double x) {
    return x * x;
  }

  /** The plan after a comparison with its runs. */
  UncertainPlan checkedBy(Map<Dimension, MeasuredMean> runs) {
    Map<Dimension, Value> updated = new EnumMap<>(values);
    runs.forEach((dimension, mean) -> updated.put(dimension, get(dimension).checkedBy(mean)));
    return new UncertainPlan(plan, updated, freedom);
  }

  Value get(Dimension dimension) {
    return Objects.requireNonNull(values.get(dimension));
  }

  /** The mean of a dimension with its 95 % interval. */
  Range range(Dimension dimension) {
    Value value = get(dimension);
    double half = Quantiles.student(freedom) * value.deviation();
    return Range.within(
        value.mean(),
        value.mean() - half,
        value.mean() + half,
        0,
        dimension == Dimension.QUALITY ? 1 : Double.MAX_VALUE);
  }

  /** The probability that a bound holds. */
  double probability(Bound bound) {
    return Quantiles.studentBelow(margin(bound), freedom);
  }

  /** Standard deviations by which the mean keeps a bound; negative if it misses the bound. */
  private double margin(Bound bound) {
    Value value = get(bound.dimension());
    double margin =
        bound.dimension() == Dimension.QUALITY
            ? value.mean() - bound.limit()
            : bound.limit() - value.mean();
    return margin / Math.max(LEAST_DEVIATION, value.deviation());
  }

  /**
   * Whether this plan is shown to be worse than another one: the other plan keeps the bounds with
   * the required probability and this one does not, or the other is better in the target by more
   * than the deviation of the difference explains.
   */
  public boolean isShownWorse(UncertainPlan other, Objective objective, double boundProbability) {
    boolean keeps = probability(objective) >= boundProbability;
    boolean otherKeeps = other.probability(objective) >= boundProbability;
    if (keeps != otherKeeps) {
      return otherKeeps;
    }
    Value own = get(objective.target());
    Value others = other.get(objective.target());
    return objective.target().better(others.mean(), own.mean())
        && Math.abs(others.mean() - own.mean())
            > SHOWN * Math.hypot(own.deviation(), others.deviation());
  }

  /** The smallest margin over all bounds; it orders plans that are all unlikely to keep them. */
  public double margin(Objective objective) {
    return objective.bounds().stream()
        .mapToDouble(this::margin)
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** The probability of the bound that is least likely to hold; 1 without bounds. */
  public double probability(Objective objective) {
    return objective.bounds().stream().mapToDouble(this::probability).min().orElse(1);
  }
}
