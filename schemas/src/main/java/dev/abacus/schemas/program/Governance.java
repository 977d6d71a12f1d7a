package dev.abacus.schemas.program;

import org.jspecify.annotations.Nullable;

/**
 * What a program asks of the governor beyond its spending cap: {@code governor: { lag: 1000,
 * canary: 0.05, judge: 0.01 }}.
 *
 * @param lag documents that may wait; with more, a faster plan is run until they are done. Null:
 *     never switch for lag
 * @param canary share of documents, in (0, 1), that a new plan gets before it is trusted with all.
 *     Null: it gets all at once
 * @param judge share of live documents, in (0, 1], whose outputs the judge scores, so that a drift
 *     of quality is seen. Null: none is judged
 */
public record Governance(@Nullable Long lag, @Nullable Double canary, @Nullable Double judge) {

  /** Nothing is asked for. */
  public static final Governance NONE = new Governance(null, null, null);

  public Governance {
    if (lag != null && lag < 1) {
      throw new IllegalArgumentException("a lag target of " + lag + "; it must be at least 1");
    }
    if (canary != null && !(canary > 0 && canary < 1)) {
      throw new IllegalArgumentException("a canary share of " + canary + "; it must be in (0, 1)");
    }
    if (judge != null && !(judge > 0 && judge <= 1)) {
      throw new IllegalArgumentException("a judged share of " + judge + "; it must be in (0, 1]");
    }
  }
}
