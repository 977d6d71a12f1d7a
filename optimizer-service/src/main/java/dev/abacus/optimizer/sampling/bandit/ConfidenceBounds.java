package dev.abacus.optimizer.sampling.bandit;

import dev.abacus.optimizer.search.cost.ArmStatistics;
import dev.abacus.optimizer.search.cost.SampleSummary;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.schemas.objective.Dimension;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Optimistic and pessimistic bounds of arms (paper, section 3.3):
 *
 * <pre>  bound = μ ± α √(ln N / n)        α = 0.5 × (largest − smallest mean over all arms)</pre>
 *
 * <p>N counts the samples of all arms of the operator, n those of this arm. The spread is that of
 * the arms' means, as in the authors' implementation; of single values it would be 1 for nearly
 * every metric of quality, and no arm would ever leave. Where a metric has not been measured for an
 * arm, for instance because no output could be scored, the arm may still be the best of all: its
 * optimistic bound has no limit, nor has its pessimistic one.
 */
final class ConfidenceBounds {

  private static final double EXPLORATION = 0.5;

  private final Set<Dimension> dimensions;
  private final Map<Dimension, Double> alphas = new EnumMap<>(Dimension.class);
  private final double logOfSamples;

  /**
   * @param all every arm that was ever tried, also those that left the frontier
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

  /** The best that the arm's true mean may be. */
  double optimistic(Dimension dimension, ArmStatistics arm) {
    return bound(dimension, arm, dimension == Dimension.QUALITY ? 1 : -1);
  }

  /** The worst that the arm's true mean may be. */
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
   * Whether even at its best the arm is worse than the other at its worst, on every metric of the
   * objective. Overlap on a single one means that it may yet be Pareto-optimal.
   */
  boolean fallsShortOf(ArmStatistics arm, ArmStatistics other) {
    return dimensions.stream()
        .allMatch(dimension ->
            dimension.better(pessimistic(dimension, other), optimistic(dimension, arm)));
  }
}
