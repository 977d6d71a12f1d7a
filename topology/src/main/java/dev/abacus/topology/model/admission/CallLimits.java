package dev.abacus.topology.model.admission;

import org.jspecify.annotations.Nullable;

/**
 * Limits of calls that a user configures.
 *
 * @param requestsPerMinute at least 1; null for no limit
 * @param tokensPerMinute input plus output, at least 1; null for no limit
 */
public record CallLimits(@Nullable Long requestsPerMinute, @Nullable Long tokensPerMinute) {

  /** No limits. */
  public static final CallLimits NONE = new CallLimits(null, null);

  /** The lower of each two limits. */
  CallLimits and(CallLimits other) {
    return new CallLimits(
        lower(requestsPerMinute, other.requestsPerMinute),
        lower(tokensPerMinute, other.tokensPerMinute));
  }

  private static @Nullable Long lower(@Nullable Long one, @Nullable Long other) {
    return one == null ? other : other == null ? one : Long.valueOf(Math.min(one, other));
  }
}
