package dev.abacus.optimizer.governor;

import dev.abacus.schemas.program.Spending;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Guards the spending cap. Windows start at multiples of their length since 1970 (UTC). Once half
 * of the cap is spent, the guard extrapolates: if the window would exceed the cap at the present
 * rate, it demands cheaper plans. If the spent amount and the expected cost of documents in flight
 * reach the cap, the program pauses until the next window.
 */
final class SpendGuard {

  private static final double LOOK_AHEAD_FROM = 0.5;

  /** Share of the cap that a plan may use. */
  private static final double MARGIN = 0.95;

  /**
   * State over restarts, part of {@link GovernorState}.
   *
   * @param since start of the window, or of the first report in it
   * @param limit USD per document for the rest of the window; null for no limit
   */
  record State(
      Instant window, Instant since, double spent, long documents, @Nullable Double limit) {
    static final State START = new State(Instant.EPOCH, Instant.EPOCH, 0, 0, null);
  }

  private State state;

  SpendGuard(State state) {
    this.state = state;
  }

  State state() {
    return state;
  }

  /** Takes in the increase of the counters. */
  void take(FleetCounters.Increase increase) {
    state =
        new State(
            state.window,
            state.since,
            state.spent + increase.cost(),
            state.documents + increase.documents(),
            state.limit);
  }

  /**
   * Updates window and limit.
   *
   * @param backlog documents waiting or in flight
   * @param cost USD per document under the active plan
   */
  void tick(@Nullable Spending spending, Instant now, long backlog, double cost) {
    if (spending == null) {
      state = new State(state.window, state.since, state.spent, state.documents, null);
      return;
    }
    Instant window = start(spending, now);
    if (!window.equals(state.window)) {
      state = new State(window, now, 0, 0, null);
    }
    if (state.spent < LOOK_AHEAD_FROM * spending.usd() || state.documents == 0) {
      return;
    }
    double elapsed = Math.max(1, Duration.between(state.since, now).toMillis() / 1000.0);
    double left =
        Math.max(0, Duration.between(now, window.plus(spending.per())).toMillis() / 1000.0);
    double expected = Math.max((double) backlog, state.documents / elapsed * left);
    double affordable = Math.max(0, MARGIN * spending.usd() - state.spent) / Math.max(1, expected);
    if (cost > affordable) {
      state =
          new State(
              state.window,
              state.since,
              state.spent,
              state.documents,
              state.limit == null ? affordable : Math.min(state.limit, affordable));
    }
  }

  private static Instant start(Spending spending, Instant now) {
    long length = spending.per().toMillis();
    return Instant.ofEpochMilli(Math.floorDiv(now.toEpochMilli(), length) * length);
  }

  /** Whether the cap is reached when the documents in flight are done. */
  boolean isExhausted(@Nullable Spending spending, long pending, double cost) {
    return spending != null && state.spent + pending * cost >= spending.usd();
  }

  /** USD per document that a plan may cost; null for no limit. */
  @Nullable Double limit() {
    return state.limit;
  }

  String reason(Spending spending) {
    return String.format(
        Locale.ROOT,
        "$%.4f of $%.4f per %s are spent",
        state.spent,
        spending.usd(),
        spending.per());
  }
}
