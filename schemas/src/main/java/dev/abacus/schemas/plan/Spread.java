package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How far the means of a plan's estimate may be from the truth: the standard deviations of their
 * errors, in the unit of each dimension. The errors are Student's t, because the deviations are
 * estimates too.
 *
 * @param cost null if the number of outputs of an operator is not known
 * @param freedom degrees of freedom of the deviations, at least 1
 * @param samples of the implementation that has the fewest
 * @param correlations of the errors of quality and cost, quality and latency, cost and latency
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Spread(
    double quality,
    @Nullable Double cost,
    double latency,
    int freedom,
    int samples,
    List<Double> correlations) {

  private static final double LEAST_DEVIATION = 1e-9;

  /** If more samples would be needed, the mean cannot be told from the bound. */
  public static final int MOST_TO_SETTLE = 100_000;

  public Spread {
    freedom = Math.max(1, freedom);
    correlations =
        correlations == null || correlations.size() != 3
            ? List.of(0.0, 0.0, 0.0)
            : List.copyOf(correlations);
  }

  /** The deviation in a dimension; null if unknown. */
  public @Nullable Double get(Dimension dimension) {
    return switch (dimension) {
      case QUALITY -> quality;
      case COST -> cost;
      case LATENCY -> latency;
    };
  }

  /** The probability that a bound holds; null if the deviation is unknown. */
  public @Nullable Double probability(Estimate mean, Bound bound) {
    Double margin = margin(mean, bound);
    return margin == null ? null : Double.valueOf(Quantiles.studentBelow(margin, freedom));
  }

  /**
   * Deviations by which the mean keeps a bound; negative if it misses it; null if unknown. A bound
   * that is met without error, as that of 0 by models without a price, is kept.
   */
  private @Nullable Double margin(Estimate mean, Bound bound) {
    Double deviation = get(bound.dimension());
    double value = mean.get(bound.dimension());
    double margin =
        bound.dimension() == Dimension.QUALITY ? value - bound.limit() : bound.limit() - value;
    if (deviation != null && deviation == 0 && margin == 0) {
      return Double.POSITIVE_INFINITY;
    }
    return deviation == null ? null : Double.valueOf(margin / Math.max(LEAST_DEVIATION, deviation));
  }

  /**
   * The probability that bounds hold together. Errors may have causes in common, so it is that of
   * normal variables with the correlations of the errors, each of which keeps its own bound with
   * the probability of Student's t. Of two bounds on a dimension the tighter one counts. Bounds on
   * a dimension without a deviation are left out.
   */
  public double probability(Estimate mean, List<Bound> bounds) {
    Map<Dimension, Bound> tightest = new EnumMap<>(Dimension.class);
    for (Bound bound : bounds) {
      if (get(bound.dimension()) != null) {
        tightest.merge(bound.dimension(), bound, (one, two) -> tighter(mean, one, two));
      }
    }
    List<Bound> kept = List.copyOf(tightest.values());
    if (kept.size() == 1) {
      return Objects.requireNonNull(probability(mean, kept.getFirst()));
    }
    double[] limits = new double[kept.size()];
    double[][] matrix = new double[kept.size()][kept.size()];
    for (int i = 0; i < limits.length; i++) {
      limits[i] = Quantiles.normal(Objects.requireNonNull(probability(mean, kept.get(i))));
      for (int j = 0; j < limits.length; j++) {
        matrix[i][j] = i == j ? 1 : correlation(kept.get(i).dimension(), kept.get(j).dimension());
      }
    }
    return Quantiles.normalBelow(limits, matrix);
  }

  private Bound tighter(Estimate mean, Bound one, Bound two) {
    return Objects.requireNonNull(margin(mean, one)) <= Objects.requireNonNull(margin(mean, two))
        ? one
        : two;
  }

  /** The correlation of the margins by which bounds on two dimensions are kept. */
  private double correlation(Dimension one, Dimension two) {
    Set<Dimension> both = EnumSet.of(one, two);
    double errors =
        correlations.get(
            !both.contains(Dimension.LATENCY) ? 0 : !both.contains(Dimension.COST) ? 1 : 2);
    boolean opposite = (one == Dimension.QUALITY) != (two == Dimension.QUALITY);
    return Math.clamp(opposite ? -errors : errors, -1, 1);
  }

  /** The strictest bound that holds with a probability; null if the deviation is unknown. */
  public @Nullable Double strictest(Estimate mean, Dimension dimension, double required) {
    Double deviation = get(dimension);
    if (deviation == null) {
      return null;
    }
    double margin = Quantiles.student(required, freedom) * deviation;
    return dimension == Dimension.QUALITY
        ? mean.get(dimension) - margin
        : mean.get(dimension) + margin;
  }

  /**
   * How many more samples would settle a bound that the mean keeps, if the error falls with the
   * root of their number; null if the mean misses it, or if the deviation is unknown.
   */
  @Nullable Integer toSettle(Estimate mean, Bound bound, double required) {
    Double margin = margin(mean, bound);
    if (margin == null || margin <= 0) {
      return null;
    }
    double needed = Quantiles.student(required, freedom) / margin;
    double more = Math.ceil(Math.max(1, samples) * (needed * needed - 1));
    return more > MOST_TO_SETTLE ? null : Integer.valueOf((int) Math.max(1, more));
  }
}
