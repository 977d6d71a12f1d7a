package dev.abacus.optimizer.governor;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The lag target. While more documents wait than it says, ever faster plans are asked for, one step
 * per dwell; when less than half of it have waited for as long, the surge is over.
 */
final class LagGuard {

  /** A faster plan takes at most this part of the present one's latency. */
  private static final double STEP = 0.8;

  /**
   * What is remembered.
   *
   * @param limit seconds per document; null for no limit
   * @param calmSince since when little waits; null while much does
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
   * Time goes by.
   *
   * @param latency seconds per document by the estimate of the present plan
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

  @Nullable Double limit() {
    return state.limit;
  }
}
