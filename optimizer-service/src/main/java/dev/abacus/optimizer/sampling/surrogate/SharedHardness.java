package dev.abacus.optimizer.sampling.surrogate;

import java.util.Arrays;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * How far examples that are hard for one operator are hard for the others: the share ρ of the
 * variance of an example's effect that all operators have in common.
 *
 * <pre>
 *   effect of an example on an operator = σ (√ρ · common + √(1 − ρ) · own)
 * </pre>
 *
 * <p>Operators are sampled on the same examples, and whole plans run on them. So with ρ above 0
 * their estimates err together, and the quality of a plan, a product, is less certain than
 * independent errors would make it.
 *
 * <p>The residuals of two operators on one example have the covariance ρ σ₁ σ₂, and the variance σ²
 * + τ²/n each, with n measurements that scatter by τ² besides. ρ is the posterior mean under a
 * uniform prior; the likelihood is the product of the normal densities of all pairs of operators (a
 * composite likelihood, Varin, Reid and Firth 2011).
 */
final class SharedHardness {

  private static final int STEPS = 20;

  /**
   * The residuals of an operator.
   *
   * @param effect standard deviation σ of the effect of an example
   * @param rest variance τ² of a measurement besides that effect
   * @param means by example
   */
  record Residuals(double effect, double rest, Map<String, DoubleSummaryStatistics> means) {

    double variance(long count) {
      return effect * effect + rest / count;
    }
  }

  private SharedHardness() {}

  /** The share ρ; one half without a pair of operators that were measured on one example. */
  static double of(Collection<Residuals> operators) {
    double[] logs = new double[STEPS + 1];
    List<Residuals> all = List.copyOf(operators);
    for (int a = 0; a < all.size(); a++) {
      for (int b = 0; b < a; b++) {
        add(all.get(a), all.get(b), logs);
      }
    }
    double[] shares = new double[STEPS + 1];
    Arrays.setAll(shares, step -> (double) step / STEPS);
    return mean(shares, logs);
  }

  /**
   * The mean of equally likely values after data.
   *
   * @param logs of the likelihood of the data, by value
   */
  static double mean(double[] values, double[] logs) {
    double most = Arrays.stream(logs).max().orElseThrow();
    double sum = 0;
    double weights = 0;
    for (int i = 0; i < logs.length; i++) {
      double weight = Math.exp(logs[i] - most);
      sum += weight * values[i];
      weights += weight;
    }
    return sum / weights;
  }

  private static void add(Residuals one, Residuals two, double[] logs) {
    Map<String, DoubleSummaryStatistics> common = new TreeMap<>(one.means());
    common.keySet().retainAll(two.means().keySet());
    common.forEach((example, first) -> {
      DoubleSummaryStatistics second = Objects.requireNonNull(two.means().get(example));
      double v = one.variance(first.getCount());
      double w = two.variance(second.getCount());
      for (int step = 0; step <= STEPS; step++) {
        double covariance = one.effect() * two.effect() * step / STEPS;
        double determinant = v * w - covariance * covariance;
        double squares =
            (w * first.getAverage() * first.getAverage()
                    - 2 * covariance * first.getAverage() * second.getAverage()
                    + v * second.getAverage() * second.getAverage())
                / determinant;
        logs[step] -= 0.5 * (squares + Math.log(determinant));
      }
    });
  }
}
