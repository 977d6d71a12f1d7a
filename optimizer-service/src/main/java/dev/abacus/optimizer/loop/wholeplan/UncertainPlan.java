package dev.abacus.optimizer.loop.wholeplan;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.estimate.CostUncertainty;
import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.loop.state.Beliefs;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.Mixture;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.Quantiles;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.Spread;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A plan with a distribution of each of its metrics: Student's t about the mean, because the
 * variances are estimates too.
 *
 * @param values by dimension
 * @param freedom degrees of freedom of the variances, at least 1
 * @param samples of the implementation that has the fewest
 */
public record UncertainPlan(
    PlanChoice plan, Map<Dimension, Value> values, int freedom, int samples) {

  private static final double LEAST_QUALITY = 1e-3;

  /**
   * Prior deviation of a plan of several operators from what its operators make together, relative
   * to its mean: how well one does depends on what the one before it wrote. With more, fewer bounds
   * hold of operators that do not depend on each other; with less, promises of those that do are
   * false more often ({@code DependentOperatorsTest}).
   */
  private static final double DEPENDENCE = 0.03;

  private static final double LEAST_DEVIATION = 1e-9;

  /** Probability with which a plan has to be worse to be shown so. */
  private static final double SHOWN = 0.95;

  /**
   * A mean with its error.
   *
   * @param error in the unit of the dimension
   */
  record Value(double mean, Loadings error) {

    double deviation() {
      return error.deviation();
    }

    /** This estimate and the plan's own runs, weighed by how much is not known to each of them. */
    Value weighed(MeasuredMean runs) {
      double noise = Math.max(LEAST_DEVIATION, runs.error() * runs.error());
      double dependence = Math.pow(DEPENDENCE * mean, 2);
      double weight = noise / (noise + dependence);
      return new Value(
          weight * mean + (1 - weight) * runs.mean(),
          error.plus(Loadings.own(Math.sqrt(weight * dependence))));
    }
  }

  /**
   * The plan by the estimates of its implementations.
   *
   * @param beliefs of all implementations
   */
  public static UncertainPlan of(PlanChoice plan, Beliefs beliefs) {
    Mixture mixture = plan.mixture();
    return mixture == null
        ? ofOne(plan, beliefs)
        : of(plan.parts().getFirst(), beliefs)
            .mixedWith(of(mixture.plan(), beliefs), mixture.share())
            .around(plan);
  }

  private static UncertainPlan ofOne(PlanChoice plan, Beliefs beliefs) {
    List<Belief> ofPlan =
        plan.steps().stream().map(beliefs::find).filter(Objects::nonNull).toList();
    return of(plan, ofPlan, CostUncertainty.error(plan.steps(), beliefs::find, beliefs.fanouts()));
  }

  /** The plan by the estimates of its implementations, which run one after the other. */
  public static UncertainPlan of(PlanChoice plan, List<Belief> beliefs) {
    return of(
        plan, beliefs, CostUncertainty.error(beliefs.stream().map(Belief::orUnknown).toList()));
  }

  /**
   * The plan by the estimates of its implementations. Their errors add up: relative ones of
   * quality, which is a product, absolute ones of cost (see {@link CostUncertainty}) and latency.
   */
  private static UncertainPlan of(PlanChoice plan, List<Belief> beliefs, Loadings cost) {
    Loadings quality = Loadings.NONE;
    Loadings latency = Loadings.NONE;
    double latencies = 0;
    double freedom = Integer.MAX_VALUE;
    int samples = Integer.MAX_VALUE;
    for (Belief known : beliefs) {
      Belief belief = known.orUnknown();
      freedom = Math.min(freedom, belief.freedom());
      samples = Math.min(samples, belief.samples());
      OperatorEstimate mean = belief.mean();
      quality = quality.plus(belief.quality().times(1 / Math.max(LEAST_QUALITY, mean.quality())));
      latency = latency.plus(belief.latency().times(mean.latency()));
      latencies += mean.latency();
    }
    Map<Dimension, Value> values = new EnumMap<>(Dimension.class);
    for (Dimension dimension : Dimension.values()) {
      double mean = plan.estimate().get(dimension);
      Loadings error =
          switch (dimension) {
            case QUALITY -> quality.times(mean);
            case COST -> cost;
            case LATENCY -> latencies > 0 ? latency.times(mean / latencies) : Loadings.NONE;
          };
      values.put(dimension, new Value(mean, error));
    }
    return new UncertainPlan(plan, values, (int) freedom, samples);
  }

  /** This plan for most keys, and another one for a share of them, in (0, 1). */
  public UncertainPlan mixedWith(UncertainPlan other, double share) {
    Map<Dimension, Value> mixed = new EnumMap<>(Dimension.class);
    for (Dimension dimension : Dimension.values()) {
      Value own = get(dimension);
      Value others = other.get(dimension);
      mixed.put(
          dimension,
          new Value(
              (1 - share) * own.mean() + share * others.mean(),
              own.error().times(1 - share).plus(others.error().times(share))));
    }
    return new UncertainPlan(
        plan.mixedWith(other.plan, share),
        mixed,
        Math.min(freedom, other.freedom),
        Math.min(samples, other.samples));
  }

  /** The same errors around the means of a plan. */
  private UncertainPlan around(PlanChoice stated) {
    Map<Dimension, Value> moved = new EnumMap<>(Dimension.class);
    values.forEach((dimension, value) ->
        moved.put(dimension, new Value(stated.estimate().get(dimension), value.error())));
    return new UncertainPlan(stated, moved, freedom, samples);
  }

  /**
   * The plan by its estimate and its own runs. The estimate has the runs as samples of the
   * operators, which is all that they say of a plan of one operator. Of several, they also say how
   * far the plan is from what its operators make together.
   */
  UncertainPlan weighed(Map<Dimension, MeasuredMean> runs) {
    if (plan.semanticSteps().size() < 2) {
      return this;
    }
    Map<Dimension, Value> weighed = new EnumMap<>(values);
    runs.forEach((dimension, mean) -> weighed.put(dimension, get(dimension).weighed(mean)));
    return new UncertainPlan(plan, weighed, freedom, samples);
  }

  Value get(Dimension dimension) {
    return Objects.requireNonNull(values.get(dimension));
  }

  /** The mean in a dimension. */
  public double mean(Dimension dimension) {
    return get(dimension).mean();
  }

  /** The standard deviation in a dimension. */
  public double deviation(Dimension dimension) {
    return get(dimension).deviation();
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

  /** The means as an estimate. */
  private Estimate means() {
    return new Estimate(
        Math.clamp(mean(Dimension.QUALITY), 0, 1),
        Math.max(0, mean(Dimension.COST)),
        Math.max(0, mean(Dimension.LATENCY)));
  }

  /** How sure the means are. */
  private Spread spread(boolean costKnown) {
    return new Spread(
        deviation(Dimension.QUALITY),
        costKnown ? Double.valueOf(deviation(Dimension.COST)) : null,
        deviation(Dimension.LATENCY),
        freedom,
        samples,
        List.of(
            correlation(Dimension.QUALITY, Dimension.COST),
            correlation(Dimension.QUALITY, Dimension.LATENCY),
            correlation(Dimension.COST, Dimension.LATENCY)));
  }

  private double correlation(Dimension one, Dimension two) {
    Loadings a = get(one).error();
    Loadings b = get(two).error();
    return a.covariance(b)
        / Math.max(LEAST_DEVIATION * LEAST_DEVIATION, a.deviation() * b.deviation());
  }

  /**
   * The plan with how sure its estimate is, for users; without it if the policy does not know.
   *
   * @param costKnown whether the number of outputs of all operators is known
   */
  public PlanChoice stated(boolean costKnown) {
    boolean known = values.values().stream().anyMatch(value -> value.deviation() > 0);
    return plan.with(known ? spread(costKnown) : null);
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
    return margin == 0 && value.deviation() == 0
        ? Double.POSITIVE_INFINITY // as with models without a price and a bound of 0
        : margin / Math.max(LEAST_DEVIATION, value.deviation());
  }

  /**
   * Whether this plan is shown to be worse than another one: the other plan keeps the bounds with
   * the required probability and this one does not, or the other is better in the target by more
   * than the error of the difference explains. That error is of the operators in which the plans
   * differ; what they have in common cancels.
   */
  public boolean isShownWorse(UncertainPlan other, Objective objective, double boundProbability) {
    boolean keeps = probability(objective) >= boundProbability;
    boolean otherKeeps = other.probability(objective) >= boundProbability;
    if (keeps != otherKeeps) {
      return otherKeeps;
    }
    return objective.target().better(other.mean(objective.target()), mean(objective.target()))
        && probabilityWorse(other, objective.target()) > SHOWN;
  }

  /**
   * The probability that this plan is worse than another one in a dimension. The error of the
   * difference is that of the operators in which the plans differ; what they have in common
   * cancels.
   */
  public double probabilityWorse(UncertainPlan other, Dimension dimension) {
    Value own = get(dimension);
    Value others = other.get(dimension);
    double difference =
        dimension == Dimension.QUALITY ? others.mean() - own.mean() : own.mean() - others.mean();
    double deviation = Math.max(LEAST_DEVIATION, others.error().minus(own.error()).deviation());
    return Quantiles.studentBelow(difference / deviation, Math.min(freedom, other.freedom));
  }

  /** The smallest margin over all bounds; it orders plans that are all unlikely to keep them. */
  public double margin(Objective objective) {
    return objective.bounds().stream()
        .mapToDouble(this::margin)
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }

  /** The probability that all bounds hold together; 1 without bounds. */
  public double probability(Objective objective) {
    return probability(objective.bounds());
  }

  /** The probability that bounds hold together. */
  double probability(List<Bound> bounds) {
    return bounds.size() == 1
        ? probability(bounds.getFirst())
        : spread(true).probability(means(), bounds);
  }

  /**
   * What is promised of the plan.
   *
   * @param unknown ids of operators whose number of outputs is not known
   * @param examples number of examples that it was measured on
   * @param folds number of folds; null if examples were held back
   */
  PlanPromise promise(
      Objective objective,
      double boundProbability,
      List<String> unknown,
      int examples,
      @Nullable Integer folds) {
    List<Bound> known =
        objective.bounds().stream()
            .filter(bound -> unknown.isEmpty() || bound.dimension() != Dimension.COST)
            .toList();
    Map<String, Double> bounds = new TreeMap<>();
    known.forEach(bound -> bounds.put(bound.dimension().label(), probability(bound)));
    return new PlanPromise(
        examples,
        range(Dimension.QUALITY),
        unknown.isEmpty() ? range(Dimension.COST) : Range.of(get(Dimension.COST).mean()),
        range(Dimension.LATENCY),
        boundProbability,
        bounds,
        bounds.size() > 1 ? Double.valueOf(probability(known)) : null,
        null,
        null,
        null,
        unknown,
        folds,
        null);
  }

  /** The plan with the means of its promise as its estimate, and how sure they are. */
  PlanChoice promised(PlanPromise promise) {
    return plan.with(
        new Estimate(promise.quality().mean(), promise.cost().mean(), promise.latency().mean()),
        spread(promise.unknownOutputs().isEmpty()));
  }
}
