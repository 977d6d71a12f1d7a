package dev.abacus.optimizer.governor;

import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.plan.PhysicalPlan;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Judges a canary, a new plan that receives a share of the documents. It fails if, with 99 %
 * confidence, its documents fail more often than those of the other plan, or cost or take more than
 * 25 % above its estimate. Cost and latency are compared only if every operator processes documents
 * one by one: else outcomes are groups or pairs, and estimates are per source document.
 */
final class CanaryGuard {

  private static final double TOLERANCE = 1.25;

  /** The decision on a canary. */
  record Verdict(boolean promoted, String reason) {}

  private final int block;

  CanaryGuard(int block) {
    this.block = block;
  }

  /** The decision; null while there are too few documents. */
  @Nullable Verdict judge(PhysicalPlan canary, EpochCounts seen, EpochCounts beside) {
    if (ConfidenceInterval.ofFailures(seen).low() > ConfidenceInterval.ofFailures(beside).high()) {
      return bad(
          String.format(
              Locale.ROOT,
              "%d of %d documents failed, of those beside it %d of %d",
              seen.failures(),
              seen.documents(),
              beside.failures(),
              beside.documents()));
    }
    boolean comparable =
        seen.documents() >= block / 2
            && canary.steps().stream().allMatch(step -> step.logical().isPerDocument());
    ConfidenceInterval cost = ConfidenceInterval.ofCost(seen);
    if (comparable && cost.low() > TOLERANCE * canary.estimate().cost()) {
      return bad(
          String.format(
              Locale.ROOT,
              "documents cost at least $%.6f, promised were $%.6f",
              cost.low(),
              canary.estimate().cost()));
    }
    ConfidenceInterval latency = ConfidenceInterval.ofLatency(seen);
    if (comparable && latency.low() > TOLERANCE * canary.estimate().latency()) {
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
