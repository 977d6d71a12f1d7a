package dev.abacus.schemas.program;

import org.jspecify.annotations.Nullable;

/**
 * What a program asks of the governor beyond its spending cap: {@code governor: { lag: 1000,
 * canary: 0.05 }}.
 *
 * @param lag documents that may wait; with more, a faster plan is run until they are done. Null:
 *     never switch for lag
 * @param canary share of documents, in (0, 1), that a new plan gets before it is trusted with all.
 *     Null: it gets all at once
 */
public record Governance(@Nullable Long lag, @Nullable Double canary) {

  /** Nothing is asked for. */
  public static final Governance NONE = new Governance(null, null);

  public Governance {
    if (lag != null && lag < 1) {
      throw new IllegalArgumentException("a lag target of " + lag + "; it must be at least 1");
    }
    if (canary != null && !(canary > 0 && canary < 1)) {
      throw new IllegalArgumentException("a canary share of " + canary + "; it must be in (0, 1)");
    }
  }
}
