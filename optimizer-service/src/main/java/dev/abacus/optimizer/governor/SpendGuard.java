package dev.abacus.optimizer.governor;

import dev.abacus.schemas.program.Spending;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The spending cap. Windows follow each other without gap and begin at multiples of their length
 * since 1970 (UTC). From half of the cap on it looks ahead: if the window would cost more than the
 * cap at the pace so far, documents must become cheaper. When what is spent and what is under way
 * reach the cap, the program pauses until the next window.
 */
final class SpendGuard {

  private static final double LOOK_AHEAD_FROM = 0.5;

  /** Part of what is left that may be planned with. */
  private static final double MARGIN = 0.95;

  /**
   * What is remembered.
   *
   * @param since start of the window, or the first report within it
   * @param limit USD per document that the rest of the window allows; null for no limit
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

  void take(Fleet.Growth growth) {
    state =
        new State(
            state.window,
            state.since,
            state.spent + growth.cost(),
            state.documents + growth.documents(),
            state.limit);
  }

  /**
   * Time goes by.
   *
   * @param backlog documents that wait or are under way
   * @param cost USD per document under the present plan
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

  /** Whether the cap is reached once documents under way are done. */
  boolean isExhausted(@Nullable Spending spending, long pending, double cost) {
    return spending != null && state.spent + pending * cost >= spending.usd();
  }

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
