package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * A mean, and where it lies in truth with 95 % confidence.
 *
 * @param low null if one sample is all there is, which does not tell how samples scatter
 * @param high null likewise
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Range(double mean, @Nullable Double low, @Nullable Double high) {

  public Range {
    if (!Double.isFinite(mean) || (low != null && high != null && !(low <= mean && mean <= high))) {
      throw new IllegalArgumentException("mean %s in [%s, %s]".formatted(mean, low, high));
    }
  }

  /** A mean of which nothing else is known. */
  public static Range of(double mean) {
    return new Range(mean, null, null);
  }

  /** With bounds that are kept within limits, and around the mean. */
  public static Range within(double mean, double low, double high, double least, double most) {
    return new Range(
        mean, Math.min(mean, Math.max(least, low)), Math.max(mean, Math.min(most, high)));
  }
}
