package dev.abacus.optimizer.governor;

import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.plan.PhysicalPlan;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Judges a new plan by its first documents: it fails if, with confidence, they fail more often than
 * those of the plan beside it, or cost or take more than a quarter above what was promised.
 */
final class CanaryGuard {

  private static final double TOLERANCE = 1.25;

  /** What is to become of a canary. */
  record Verdict(boolean promoted, String reason) {}

  private final int block;

  CanaryGuard(int block) {
    this.block = block;
  }

  /** Null while it is too early to say. */
  @Nullable Verdict judge(PhysicalPlan canary, EpochCounts seen, EpochCounts beside) {
    if (LiveInterval.ofFailures(seen).low() > LiveInterval.ofFailures(beside).high()) {
      return bad(
          String.format(
              Locale.ROOT,
              "%d of %d documents failed, of those beside it %d of %d",
              seen.failures(),
              seen.documents(),
              beside.failures(),
              beside.documents()));
    }
    LiveInterval cost = LiveInterval.ofCost(seen);
    if (seen.documents() >= block / 2 && cost.low() > TOLERANCE * canary.estimate().cost()) {
      return bad(
          String.format(
              Locale.ROOT,
              "documents cost at least $%.6f, promised were $%.6f",
              cost.low(),
              canary.estimate().cost()));
    }
    LiveInterval latency = LiveInterval.ofLatency(seen);
    if (seen.documents() >= block / 2 && latency.low() > TOLERANCE * canary.estimate().latency()) {
      return bad(
          String.format(
              Locale.ROOT,
              "documents take at least %.2f s, promised were %.2f s",
              latency.low(),
              canary.estimate().latency()));
    }
    return seen.documents() < block
        ? null
        : new Verdict(
            true,
            "canary promoted: its first %d documents were as promised".formatted(seen.documents()));
  }

  private static Verdict bad(String what) {
    return new Verdict(false, "canary rolled back: " + what);
  }
}
