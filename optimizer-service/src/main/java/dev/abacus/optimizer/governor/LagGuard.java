package dev.abacus.optimizer.governor;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Guards the lag target. While the backlog exceeds the target, it demands faster plans, one step
 * per dwell time. It lifts the demand once the backlog has been below half of the target for that
 * time. Part of {@link GovernorState}.
 *
 * @param limit seconds per document that a plan may take; null for no limit
 * @param calmSince since when the backlog is small; null while it is large
 * @param steppedAt time of the last step
 */
record LagGuard(@Nullable Double limit, @Nullable Instant calmSince, Instant steppedAt) {

  static final LagGuard START = new LagGuard(null, null, Instant.EPOCH);

  /** A step limits latency to this share of the present plan's latency. */
  private static final double STEP = 0.8;

  /**
   * With the limit of now.
   *
   * @param target largest allowed backlog in documents; null for none
   * @param latency estimated seconds per document under the active plan
   * @param dwell least time between two steps, and until the demand is lifted
   */
  LagGuard tick(@Nullable Long target, long backlog, Instant now, double latency, Duration dwell) {
    if (target == null) {
      return START;
    }
    if (backlog > target && Elapsed.isOver(dwell, steppedAt, now)) {
      return new LagGuard(STEP * latency, null, now);
    }
    if (2 * backlog > target) {
      return new LagGuard(limit, null, steppedAt);
    }
    if (calmSince == null) {
      return new LagGuard(limit, now, steppedAt);
    }
    return Elapsed.isOver(dwell, calmSince, now) ? new LagGuard(null, calmSince, steppedAt) : this;
  }
}
