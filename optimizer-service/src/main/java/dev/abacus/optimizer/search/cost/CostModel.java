package dev.abacus.optimizer.search.cost;

import dev.abacus.optimizer.search.pareto.MetricVector;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PlanStep;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How a plan's estimate follows from those of its operators, taken to be independent (paper,
 * section 2.3, equation 1): quality is the product, latency the sum along the longest path, cost
 * the sum of every operator's cost times the inputs that reach it.
 */
public enum CostModel {
  /** The inputs that reach an operator are the product of the selectivities upstream of it. */
  SELECTIVITY,
  /** Every document reaches every operator; the plain sum of the paper. */
  PAPER;

  /**
   * What estimates are rounded to. Sums and products of doubles depend on their order in the last
   * bits; rounding takes that away, so that 0.1 + 0.2 meets a bound of 0.3 and equal plans compare
   * equal.
   */
  private static final MathContext DIGITS = new MathContext(12);

  /** Those that doubles hold exactly. */
  private static final double[] POWERS = powers();

  /** How near to halfway between two decimals a value is not rounded by multiplication. */
  private static final double TIE = 1e-2;

  private static double[] powers() {
    double[] powers = new double[23];
    powers[0] = 1;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = powers[i - 1] * 10;
    }
    return powers;
  }

  /** The name users write. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * What an operator does with one input, as this model sees it; its cardinality is selectivity.
   */
  public MetricVector perInput(OperatorEstimate estimate) {
    return switch (this) {
      case SELECTIVITY -> estimate.vector();
      case PAPER -> new MetricVector(estimate.quality(), estimate.cost(), estimate.latency(), 1);
    };
  }

  /**
   * What a chain does per source document once an operator is put on its end. No better in any
   * metric where the chain was worse: the principle of optimality that the search rests on.
   */
  public static MetricVector after(MetricVector chain, MetricVector perInput) {
    return new MetricVector(
        chain.quality() * perInput.quality(),
        chain.cost() + chain.cardinality() * perInput.cost(),
        chain.latency() + perInput.latency(),
        chain.cardinality() * perInput.cardinality());
  }

  /**
   * What two streams do side by side, per document of each: their latencies pass at the same time,
   * and of the pairs of documents so many are left as of one side's documents times the other's.
   * What is then done with one input of a join is done with one pair.
   */
  public static MetricVector beside(MetricVector left, MetricVector right) {
    return new MetricVector(
        left.quality() * right.quality(),
        left.cost() + right.cost(),
        Math.max(left.latency(), right.latency()),
        left.cardinality() * right.cardinality());
  }

  /**
   * The estimate of a chain of steps, per source document.
   *
   * @param steps in execution order
   */
  public Estimate estimate(List<OperatorEstimate> steps) {
    MetricVector chain = MetricVector.SOURCE;
    for (OperatorEstimate step : steps) {
      chain = after(chain, perInput(step));
    }
    // Sorted, so that the order of execution leaves no trace in the last bits.
    double[] qualities = new double[steps.size()];
    double[] latencies = new double[steps.size()];
    for (int i = 0; i < qualities.length; i++) {
      qualities[i] = steps.get(i).quality();
      latencies[i] = steps.get(i).latency();
    }
    Arrays.sort(qualities);
    Arrays.sort(latencies);
    double quality = 1;
    double latency = 0;
    for (int i = 0; i < qualities.length; i++) {
      quality *= qualities[i];
      latency += latencies[i];
    }
    return new Estimate(rounded(quality), rounded(chain.cost()), rounded(latency));
  }

  /**
   * The estimate of a plan, per source document.
   *
   * @param steps in execution order
   * @throws IllegalArgumentException if nothing is known of one of them
   */
  public Estimate estimate(List<PlanStep> steps, Estimates estimates) {
    return estimate(
        steps.stream().map(step -> estimates.get(step.logical(), step.physical())).toList());
  }

  /** An estimate of what was reckoned otherwise, rounded as estimates are. */
  public static Estimate rounded(MetricVector plan) {
    return new Estimate(rounded(plan.quality()), rounded(plan.cost()), rounded(plan.latency()));
  }

  private static double rounded(double value) {
    double scale = value > 0 ? scale(value) : 0;
    double scaled = value * scale;
    double below = Math.floor(scaled);
    // A whole number divided by an exact power of ten is the double next to the decimal.
    return scale > 0 && Math.abs(scaled - below - 0.5) > TIE
        ? Math.rint(scaled) / scale
        : new BigDecimal(value).round(DIGITS).doubleValue();
  }

  /** The power of ten that leaves 12 digits before the point; 0 if it is no exact double. */
  private static double scale(double value) {
    int power = DIGITS.getPrecision() - 1 - (int) Math.floor(Math.log10(value));
    if (power < 0 || power >= POWERS.length) {
      return 0;
    }
    double digits = value * POWERS[power];
    // The logarithm of what is next to a power of ten may be off by one.
    return digits >= 1e11 && digits < 1e12 - 1 ? POWERS[power] : 0;
  }
}
