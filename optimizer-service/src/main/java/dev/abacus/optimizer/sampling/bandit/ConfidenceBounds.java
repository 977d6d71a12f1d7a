package dev.abacus.optimizer.sampling.bandit;

import dev.abacus.optimizer.estimate.ArmStatistics;
import dev.abacus.optimizer.estimate.SampleSummary;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.schemas.objective.Dimension;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Upper and lower confidence bounds of arms (paper, section 3.3):
 *
 * <pre>  bound = μ ± α √(ln N / n)        α = 0.5 × (largest − smallest mean over all arms)</pre>
 *
 * <p>N is the number of samples of all arms of the operator, n that of this arm. As in the authors'
 * implementation the spread is that of the means: the spread of single values would be 1 for nearly
 * every quality metric, and no arm would ever leave. If an arm has no measured value of a metric,
 * both bounds are infinite, as the arm may still be the best.
 */
final class ConfidenceBounds {

  private static final double EXPLORATION = 0.5;

  private final Set<Dimension> dimensions;
  private final Map<Dimension, Double> alphas = new EnumMap<>(Dimension.class);
  private final double logOfSamples;

  /**
   * Computes the bounds of an operator's arms.
   *
   * @param all every arm with a sample, also those that left the frontier
   */
  ConfidenceBounds(Set<Dimension> dimensions, Collection<ArmStatistics> all) {
    this.dimensions = dimensions;
    this.logOfSamples = Math.log(Math.max(1, all.stream().mapToInt(ArmStatistics::samples).sum()));
    for (Dimension dimension : dimensions) {
      alphas.put(dimension, EXPLORATION * spread(Metric.of(dimension), all));
    }
  }

  private static double spread(Metric metric, Collection<ArmStatistics> arms) {
    var means =
        arms.stream()
            .map(arm -> arm.get(metric))
            .filter(Objects::nonNull)
            .mapToDouble(SampleSummary::mean)
            .summaryStatistics();
    return means.getCount() == 0 ? 0 : means.getMax() - means.getMin();
  }

  /** The best plausible value of the arm's true mean. */
  double optimistic(Dimension dimension, ArmStatistics arm) {
    return bound(dimension, arm, dimension == Dimension.QUALITY ? 1 : -1);
  }

  /** The worst plausible value of the arm's true mean. */
  double pessimistic(Dimension dimension, ArmStatistics arm) {
    return bound(dimension, arm, dimension == Dimension.QUALITY ? -1 : 1);
  }

  private double bound(Dimension dimension, ArmStatistics arm, int sign) {
    SampleSummary summary = arm.get(Metric.of(dimension));
    if (summary == null) {
      return sign * Double.POSITIVE_INFINITY;
    }
    double alpha = Objects.requireNonNull(alphas.get(dimension));
    return summary.mean() + sign * alpha * Math.sqrt(logOfSamples / summary.count());
  }

  /**
   * Whether the optimistic bound of {@code arm} is worse than the pessimistic bound of {@code
   * other} on every metric of the objective. If the intervals overlap on one metric, the arm may be
   * Pareto-optimal.
   */
  boolean fallsShortOf(ArmStatistics arm, ArmStatistics other) {
    return dimensions.stream()
        .allMatch(dimension ->
            dimension.better(pessimistic(dimension, other), optimistic(dimension, arm)));
  }
}
