package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * An estimated mean with its 95 % confidence interval.
 *
 * @param low lower limit; null if unknown, as after a single sample
 * @param high upper limit; null if unknown
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Range(double mean, @Nullable Double low, @Nullable Double high) {

  /** Relative rounding error of sums of squares. */
  private static final double EQUAL = 1e-12;

  public Range {
    boolean around = low == null || high == null || (low <= mean && mean <= high);
    if (!Double.isFinite(mean) || !around) {
      throw new IllegalArgumentException("mean %s in [%s, %s]".formatted(mean, low, high));
    }
  }

  /** A mean without an interval. */
  public static Range of(double mean) {
    return new Range(mean, null, null);
  }

  /**
   * A mean with an interval that is clipped to [{@code least}, {@code most}] and widened to contain
   * the mean.
   */
  public static Range within(double mean, double low, double high, double least, double most) {
    return new Range(
        mean, Math.min(mean, Math.max(least, low)), Math.max(mean, Math.min(most, high)));
  }

  /**
   * The mean of at least one independent value, with its interval by the normal approximation.
   *
   * @param sum of the values
   * @param squares sum of the squared values
   * @param deviations half the width of the interval in standard errors: 1.96 for 95 %, 2.576 for
   *     99 %
   */
  public static Range ofMean(long number, double sum, double squares, double deviations) {
    double mean = sum / number;
    if (number < 2) {
      return of(mean);
    }
    double variance = Math.max(0, squares - number * mean * mean) / (number - 1);
    double half = deviations * Math.sqrt(variance / number);
    return new Range(mean, mean - half, mean + half);
  }

  /**
   * The mean of at least one independent value, with its 95 % interval by Student's t. Values that
   * are all equal, as a single one is, do not tell how much others differ: they have no interval.
   */
  public static Range ofMean(long number, double sum, double squares) {
    double mean = sum / number;
    if (number < 2 || squares - number * mean * mean <= EQUAL * squares) {
      return of(mean);
    }
    int degrees = Math.clamp(number - 1, 1, Integer.MAX_VALUE);
    return ofMean(number, sum, squares, Quantiles.student(degrees));
  }

  /**
   * A share with the score interval of Wilson (1927), which is also valid for few and for rare
   * cases. A share of nothing is 1, in [0, 1].
   *
   * @param deviations as in {@link #ofMean}
   */
  public static Range ofShare(double part, double all, double deviations) {
    if (all <= 0) {
      return new Range(1, 0.0, 1.0);
    }
    double share = Math.clamp(part / all, 0, 1);
    double square = deviations * deviations / all;
    double centre = share + square / 2;
    double half = deviations * Math.sqrt(share * (1 - share) / all + square / (4 * all));
    double scale = 1 + square;
    return within(share, (centre - half) / scale, (centre + half) / scale, 0, 1);
  }

  /**
   * A weighted sum of two means, with an interval that holds whatever their errors have in common.
   * A mean without an interval counts as certain.
   */
  static Range sum(double weight, Range one, double otherWeight, Range other) {
    double low = weight * one.lowest() + otherWeight * other.lowest();
    double high = weight * one.highest() + otherWeight * other.highest();
    double mean = weight * one.mean + otherWeight * other.mean;
    return new Range(mean, Math.min(low, mean), Math.max(high, mean));
  }

  /** With an interval, if it is known, that is clipped as by {@link #within}. */
  public Range clipped(double least, double most) {
    return low == null || high == null ? this : within(mean, low, high, least, most);
  }

  /** The lower limit, or the mean if it is unknown. */
  public double lowest() {
    return low == null ? mean : low;
  }

  /** The upper limit, or the mean if it is unknown. */
  public double highest() {
    return high == null ? mean : high;
  }
}
