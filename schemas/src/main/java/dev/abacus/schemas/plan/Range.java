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
}
