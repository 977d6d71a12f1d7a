package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.optimizer.search.cost.LagrangeMultipliers;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Quantiles;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * What an arm of one operator is worth to the whole plan, given the rest of the plan.
 *
 * <p>The rest is the best plan by present beliefs. With several operators a bound on the plan is no
 * bound on each of them: what one saves another may spend. So a bound has a price (its Lagrange
 * multiplier: what a unit of it would add to the target), every arm pays for what it takes, and is
 * forbidden only what the others cannot make up for. With one operator the bound itself holds.
 *
 * <p>Where quality is the target and two plans may share the keys, another plan may make up for it
 * too, so bounds have a price with one operator as well. An arm is forbidden what it may not take
 * of half of the keys, if the others take as little as any arm does. For less than half of the
 * keys, a plan gains less than the samples cost that find it.
 *
 * <p>If cost or latency is the target, its worth is by ratios (the logarithm of the whole plan's
 * value), so that the most expensive arms do not set the scale: half the cost of a cheap plan is
 * worth as much as half the cost of an expensive one.
 *
 * @param target of the objective
 * @param factor what the target's value is multiplied by: of quality, the quality of the others
 * @param others of cost or latency: the target's value of the others
 * @param unit of cost or latency: the target's value of the whole plan
 * @param prices of the bounded dimensions, in units of the target; empty with one operator
 * @param limits what the arm itself may take at most, in the unit of its model (a logarithm); of
 *     quality, must have at least
 */
record PlanContext(
    Dimension target,
    double factor,
    double others,
    double unit,
    Map<Dimension, Double> prices,
    Map<Dimension, Double> limits) {

  private static final double LEAST = 1e-12;

  private static final double LEAST_PROBABILITY = 1e-3;

  private static final double LEAST_QUALITY = 1e-3;

  /** The least share of the keys for which a second plan is looked for. */
  private static final double LEAST_SHARE = 0.5;

  /**
   * The contexts of all operators of a plan, in their order.
   *
   * @param mixed whether two plans may share the keys
   */
  static List<PlanContext> of(Objective objective, List<OperatorModel> operators, boolean mixed) {
    return new Relaxation(objective, operators, mixed).contexts();
  }

  /** The search for prices, over all arms by their expected values. */
  private static final class Relaxation {

    private final Objective objective;
    private final boolean mixed;

    /** Numbers of arms. */
    private final int[] sizes;

    private final List<Map<Dimension, double[]>> amounts = new ArrayList<>();
    private final Map<Dimension, Double> prices = new EnumMap<>(Dimension.class);

    Relaxation(Objective objective, List<OperatorModel> operators, boolean mixed) {
      this.objective = objective;
      this.mixed = mixed && objective.target() == Dimension.QUALITY;
      this.sizes = operators.stream().mapToInt(OperatorModel::size).toArray();
      for (OperatorModel operator : operators) {
        Map<Dimension, double[]> ofOperator = new EnumMap<>(Dimension.class);
        for (Dimension dimension : objective.dimensions()) {
          double[] values = new double[operator.size()];
          for (int arm = 0; arm < values.length; arm++) {
            values[arm] = amount(dimension, operator.value(dimension, arm));
          }
          ofOperator.put(dimension, values);
        }
        amounts.add(ofOperator);
      }
    }

    /** Such that amounts of a plan add up, and less is better. */
    private static double amount(Dimension dimension, double value) {
      return dimension == Dimension.QUALITY ? -Math.log(Math.max(LEAST_QUALITY, value)) : value;
    }

    List<PlanContext> contexts() {
      int[] plan = plan();
      List<PlanContext> contexts = new ArrayList<>();
      for (int operator = 0; operator < amounts.size(); operator++) {
        contexts.add(context(operator, plan));
      }
      return contexts;
    }

    private PlanContext context(int operator, int[] plan) {
      double sum = 0;
      for (int other = 0; other < plan.length; other++) {
        sum += other == operator ? 0 : of(other, objective.target())[plan[other]];
      }
      boolean ofQuality = objective.target() == Dimension.QUALITY;
      double quality = ofQuality ? Math.exp(-sum) : 1;
      double others = ofQuality ? 0 : sum;
      // Prices are of the logarithm of quality; near the plan, that of quality itself is Q times
      // it.
      double unit =
          ofQuality ? quality * Math.exp(-of(operator, Dimension.QUALITY)[plan[operator]]) : 1;
      Map<Dimension, Double> scaled = new EnumMap<>(Dimension.class);
      prices.forEach((dimension, price) -> scaled.put(dimension, price * unit));
      Map<Dimension, Double> limits = new EnumMap<>(Dimension.class);
      for (Bound bound : objective.bounds()) {
        if (bound.dimension() == Dimension.QUALITY && bound.limit() == 0) {
          continue; // every arm meets it
        }
        double left = amount(bound.dimension(), bound.limit()) - leastOfOthers(operator, bound);
        if (mixed) {
          double least = least(operator, bound);
          left = Math.max(left, least + (left - least) / LEAST_SHARE);
        }
        limits.put(
            bound.dimension(),
            bound.dimension() == Dimension.QUALITY
                ? Math.exp(-left)
                : Math.log(Math.max(OperatorModel.NOTHING, left)));
      }
      double whole = Math.max(LEAST, others + of(operator, objective.target())[plan[operator]]);
      return new PlanContext(objective.target(), quality, others, whole, scaled, limits);
    }

    private double leastOfOthers(int operator, Bound bound) {
      double least = 0;
      for (int other = 0; other < amounts.size(); other++) {
        least += other == operator ? 0 : least(other, bound);
      }
      return least;
    }

    private double least(int operator, Bound bound) {
      return Arrays.stream(of(operator, bound.dimension())).min().orElse(Double.POSITIVE_INFINITY);
    }

    /** The best arm of every operator under the prices; also sets the prices. */
    private int[] plan() {
      List<Bound> bounds = amounts.size() > 1 || mixed ? objective.bounds() : List.of();
      LagrangeMultipliers multipliers =
          LagrangeMultipliers.of(
              new Objective(objective.target(), bounds),
              sizes,
              (operator, arm, dimension) -> of(operator, dimension)[arm],
              bound -> amount(bound.dimension(), bound.limit()));
      for (int b = 0; b < bounds.size(); b++) {
        if (multipliers.get(b) > 0) {
          prices.put(bounds.get(b).dimension(), multipliers.get(b));
        }
      }
      return IntStream.range(0, sizes.length).map(multipliers::best).toArray();
    }

    private double[] of(int operator, Dimension dimension) {
      return Objects.requireNonNull(amounts.get(operator).get(dimension));
    }
  }

  /** The worth of an arm that meets its limits, from values in the units of the models. */
  double worth(Dimension[] dimensions, double[] means) {
    double worth = 0;
    for (int d = 0; d < dimensions.length; d++) {
      worth += worth(dimensions[d], means[d]);
    }
    return worth;
  }

  /** What one metric adds to the worth. */
  double worth(Dimension dimension, double mean) {
    return dimension == target && dimension != Dimension.QUALITY
        ? -unit * Math.log(Math.max(LEAST, others + Math.exp(mean)) / unit)
        : value(dimension, mean);
  }

  /** The same in the unit of the target, per source document. */
  double value(Dimension[] dimensions, double[] means) {
    double value = 0;
    for (int d = 0; d < dimensions.length; d++) {
      value += value(dimensions[d], means[d]);
    }
    return value;
  }

  /** What one metric adds to the value. */
  double value(Dimension dimension, double mean) {
    if (dimension == target) {
      return dimension == Dimension.QUALITY ? factor * mean : -(others + Math.exp(mean));
    }
    Double price = prices.get(dimension);
    if (price == null) {
      return 0;
    }
    return price
        * (dimension == Dimension.QUALITY
            ? Math.log(Math.max(LEAST_QUALITY, mean))
            : -Math.exp(mean));
  }

  /** The worth of an arm by which contenders are selected, given its probability to be feasible. */
  double hope(double worth, double probability) {
    double likely = Math.max(LEAST_PROBABILITY, probability);
    if (target != Dimension.QUALITY) {
      return worth + unit * Math.log(likely);
    }
    return worth >= 0 ? worth * probability : worth / likely;
  }

  /** The probability that an arm meets its limits, from values in the units of the models. */
  double feasible(Dimension[] dimensions, double[] means, double[] deviations) {
    double probability = 1;
    for (int d = 0; d < dimensions.length; d++) {
      probability *= feasible(dimensions[d], means[d], deviations[d]);
    }
    return probability;
  }

  /** The probability that one metric meets its limit. */
  double feasible(Dimension dimension, double mean, double deviation) {
    Double limit = limits.get(dimension);
    if (limit == null) {
      return 1;
    }
    double margin = dimension == Dimension.QUALITY ? mean - limit : limit - mean;
    return Quantiles.normalBelow(margin / Math.max(1e-6, deviation));
  }
}
