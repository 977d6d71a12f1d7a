package dev.abacus.optimizer.search.cost;

import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.program.LogicalOperator;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Computes the estimate of a plan from the estimates of its operators, which are assumed to be
 * independent (paper, section 2.3, equation 1): quality is the product, latency the sum along the
 * longest path, and cost the sum of each operator's cost times the inputs that reach it.
 */
public enum CostModel {
  /** The inputs that reach an operator are the product of the upstream selectivities. */
  SELECTIVITY,
  /** Every document reaches every operator: the plain sum of the paper. */
  PAPER;

  /**
   * The precision of estimates. The last bits of sums and products depend on the order of operands.
   * After rounding, 0.1 + 0.2 meets a bound of 0.3 and equal plans compare equal.
   */
  private static final MathContext DIGITS = new MathContext(12);

  /** The powers of ten that are exact doubles. */
  private static final double[] POWERS = powers();

  /** Values this close to the middle of two decimals are rounded by {@link BigDecimal}. */
  private static final double TIE = 1e-2;

  private static double[] powers() {
    double[] powers = new double[23];
    powers[0] = 1;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = powers[i - 1] * 10;
    }
    return powers;
  }

  /** What an operator does with one input under this model. */
  public OperatorEstimate perInput(OperatorEstimate estimate) {
    return switch (this) {
      case SELECTIVITY -> estimate;
      case PAPER -> estimate.withSelectivity(1);
    };
  }

  /**
   * The metrics of a chain per source document after an operator is appended. They are monotonic in
   * the metrics of the chain: the principle of optimality that the search relies on.
   */
  public static OperatorEstimate after(OperatorEstimate chain, OperatorEstimate perInput) {
    return new OperatorEstimate(
        chain.quality() * perInput.quality(),
        chain.cost() + chain.selectivity() * perInput.cost(),
        chain.latency() + perInput.latency(),
        chain.selectivity() * perInput.selectivity());
  }

  /** The metrics of operators that run one after the other, per document that reaches the first. */
  public static OperatorEstimate chain(List<OperatorEstimate> operators) {
    return operators.stream().reduce(OperatorEstimate.RELATIONAL, CostModel::after);
  }

  /**
   * The metrics of two streams side by side, per document of each. Their latencies overlap. The
   * number of document pairs is the product of both cardinalities; a pair is one input of the join.
   */
  public static OperatorEstimate beside(OperatorEstimate left, OperatorEstimate right) {
    return new OperatorEstimate(
        left.quality() * right.quality(),
        left.cost() + right.cost(),
        Math.max(left.latency(), right.latency()),
        left.selectivity() * right.selectivity());
  }

  /**
   * The estimate of a plan per source document. Where an operator has several inputs, all name
   * theirs: an operator receives one document for each combination of outputs of the operators
   * upstream, and starts when the slowest of its inputs has ended. Else they run one after the
   * other, whatever their inputs are in the program as written.
   *
   * @param operators in order of execution
   * @param estimates by id of the operator
   */
  public Estimate estimate(
      List<LogicalOperator> operators, Map<String, OperatorEstimate> estimates) {
    if (operators.stream().allMatch(operator -> operator.inputs().size() == 1)) {
      return rounded(
          chain(operators.stream().map(operator -> perInput(operator, estimates)).toList()));
    }
    double quality = 1;
    double cost = 0;
    double latency = 0;
    Map<String, Double> ends = new HashMap<>();
    Map<String, Set<String>> upstream = new HashMap<>();
    for (LogicalOperator operator : operators) {
      OperatorEstimate own = perInput(operator, estimates);
      double start = 0;
      Set<String> before = new TreeSet<>();
      for (String input : operator.inputs()) {
        start = Math.max(start, ends.getOrDefault(input, 0.0));
        before.addAll(upstream.getOrDefault(input, Set.of()));
      }
      double reaching = 1;
      for (String one : before) {
        reaching *=
            perInput(estimates.getOrDefault(one, OperatorEstimate.RELATIONAL)).selectivity();
      }
      quality *= own.quality();
      cost += reaching * own.cost();
      latency = Math.max(latency, start + own.latency());
      ends.put(operator.id(), start + own.latency());
      before.add(operator.id());
      upstream.put(operator.id(), before);
    }
    return new Estimate(rounded(quality), rounded(cost), rounded(latency));
  }

  private OperatorEstimate perInput(
      LogicalOperator operator, Map<String, OperatorEstimate> estimates) {
    return perInput(estimates.getOrDefault(operator.id(), OperatorEstimate.RELATIONAL));
  }

  /** The metrics of a plan as an estimate, rounded as estimates are. */
  public static Estimate rounded(OperatorEstimate plan) {
    return new Estimate(rounded(plan.quality()), rounded(plan.cost()), rounded(plan.latency()));
  }

  private static double rounded(double value) {
    double scale = value > 0 ? scale(value) : 0;
    double scaled = value * scale;
    double below = Math.floor(scaled);
    // An integer divided by an exact power of ten is the double closest to the decimal.
    return scale > 0 && Math.abs(scaled - below - 0.5) > TIE
        ? Math.rint(scaled) / scale
        : new BigDecimal(value).round(DIGITS).doubleValue();
  }

  /** The power of ten that moves 12 digits before the point; 0 if it is not an exact double. */
  private static double scale(double value) {
    int power = DIGITS.getPrecision() - 1 - (int) Math.floor(Math.log10(value));
    if (power < 0 || power >= POWERS.length) {
      return 0;
    }
    double digits = value * POWERS[power];
    // Near a power of ten, the rounded logarithm may be off by one.
    return digits >= 1e11 && digits < 1e12 - 1 ? POWERS[power] : 0;
  }
}
