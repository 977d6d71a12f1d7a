package dev.abacus.optimizer.governor;

import dev.abacus.schemas.program.Spending;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Guards the spending cap. Windows start at multiples of their length since 1970 (UTC). Once half
 * of the cap is spent, the guard extrapolates: if the window would exceed the cap at the present
 * rate, it demands cheaper plans. If the cap has no room for another document, the program pauses
 * until the next window. A cap in tokens pauses the program in the same way; plans have no estimate
 * in tokens, so it demands no other plan.
 *
 * <p>The workers enforce the cap, call by call. The pause only spares them the waiting, and it
 * depends on nothing but what is spent in the window: documents that are pending wait because of
 * the cap and must not prolong its effect.
 *
 * <p>Part of {@link GovernorState}.
 *
 * @param since start of the window, or of the first report in it
 * @param documents source documents in the window
 * @param limit USD per document that a plan may cost for the rest of the window; null for no limit
 * @param tokens spent in the window
 */
@RecordBuilder
record SpendGuard(
    Instant window,
    Instant since,
    double spent,
    long documents,
    @Nullable Double limit,
    Long tokens)
    implements SpendGuardBuilder.With {

  static final SpendGuard START = new SpendGuard(Instant.EPOCH, Instant.EPOCH, 0, 0, null, 0L);

  private static final double LOOK_AHEAD_FROM = 0.5;

  /** Share of the cap that a plan may use. */
  private static final double MARGIN = 0.95;

  SpendGuard {
    // Absent in the state of an older version.
    tokens = tokens == null ? Long.valueOf(0) : tokens;
  }

  /** With the increase of the counters. */
  SpendGuard plus(FleetCounters.Increase increase) {
    return withSpent(spent + increase.cost())
        .withDocuments(documents + increase.documents())
        .withTokens(tokens + increase.tokens());
  }

  /**
   * With the window and the limit of now.
   *
   * @param backlog documents waiting or in flight
   * @param cost USD per document under the active plan
   */
  SpendGuard tick(@Nullable Spending spending, Instant now, long backlog, double cost) {
    if (spending == null) {
      return withLimit(null);
    }
    Instant present = start(spending, now);
    return present.equals(window)
        ? limited(spending, now, backlog, cost)
        : new SpendGuard(present, now, 0, 0, null, 0L);
  }

  private SpendGuard limited(Spending spending, Instant now, long backlog, double cost) {
    Double cap = spending.usd();
    if (cap == null || spent < LOOK_AHEAD_FROM * cap || documents == 0) {
      return this;
    }
    double elapsed = Math.max(1, Duration.between(since, now).toMillis() / 1000.0);
    double left =
        Math.max(0, Duration.between(now, window.plus(spending.per())).toMillis() / 1000.0);
    double expected = Math.max((double) backlog, documents / elapsed * left);
    double affordable = Math.max(0, MARGIN * cap - spent) / Math.max(1, expected);
    return cost > affordable
        ? withLimit(limit == null ? affordable : Math.min(limit, affordable))
        : this;
  }

  private static Instant start(Spending spending, Instant now) {
    long length = spending.per().toMillis();
    return Instant.ofEpochMilli(Math.floorDiv(now.toEpochMilli(), length) * length);
  }

  /**
   * Whether the cap has no room for another document; never before something is spent.
   *
   * @param cost USD per document under the active plan
   */
  boolean isExhausted(@Nullable Spending spending, double cost) {
    if (spending == null) {
      return false;
    }
    double tokensOfOne = documents == 0 ? 0 : (double) tokens / documents;
    return (spending.usd() != null && spent > 0 && spent + cost > spending.usd())
        || (spending.tokens() != null && tokens > 0 && tokens + tokensOfOne > spending.tokens());
  }

  String reason(Spending spending) {
    List<String> parts = new ArrayList<>();
    if (spending.usd() != null) {
      parts.add(String.format(Locale.ROOT, "$%.4f of $%.4f", spent, spending.usd()));
    }
    if (spending.tokens() != null) {
      parts.add(String.format(Locale.ROOT, "%,d of %,d tokens", tokens, spending.tokens()));
    }
    return "%s per %s are spent".formatted(String.join(" and ", parts), spending.window());
  }
}
