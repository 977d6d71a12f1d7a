package dev.abacus.optimizer.governor;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Guards the lag target. While the backlog exceeds the target, it demands faster plans, one step
 * per dwell time. It lifts the demand once the backlog has been below half of the target for that
 * time.
 */
final class LagGuard {

  /** A step limits latency to this share of the present plan's latency. */
  private static final double STEP = 0.8;

  /**
   * State over restarts, part of {@link GovernorState}.
   *
   * @param limit seconds per document; null for no limit
   * @param calmSince since when the backlog is small; null while it is large
   */
  record State(@Nullable Double limit, @Nullable Instant calmSince, Instant steppedAt) {
    static final State START = new State(null, null, Instant.EPOCH);
  }

  private final Duration dwell;
  private State state;

  LagGuard(State state, Duration dwell) {
    this.state = state;
    this.dwell = dwell;
  }

  State state() {
    return state;
  }

  /**
   * Updates the limit.
   *
   * @param target largest allowed backlog in documents; null for none
   * @param latency estimated seconds per document under the active plan
   */
  void tick(@Nullable Long target, long backlog, Instant now, double latency) {
    if (target == null) {
      state = State.START;
    } else if (backlog > target) {
      boolean step = Duration.between(state.steppedAt, now).compareTo(dwell) >= 0;
      state =
          step
              ? new State(STEP * latency, null, now)
              : new State(state.limit, null, state.steppedAt);
    } else if (2 * backlog > target) {
      state = new State(state.limit, null, state.steppedAt);
    } else if (state.calmSince == null) {
      state = new State(state.limit, now, state.steppedAt);
    } else if (Duration.between(state.calmSince, now).compareTo(dwell) >= 0) {
      state = new State(null, state.calmSince, state.steppedAt);
    }
  }

  /** Seconds per document that a plan may take; null for no limit. */
  @Nullable Double limit() {
    return state.limit;
  }
}
