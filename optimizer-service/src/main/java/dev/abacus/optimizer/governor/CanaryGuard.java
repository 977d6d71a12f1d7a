package dev.abacus.optimizer.governor;

import dev.abacus.optimizer.sequential.BettingTest;
import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.StepEstimate;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Judges a canary, a new plan that receives a share of the documents. It fails if its documents
 * fail more often than those of the other plan, or cost or take more than 25 % above its estimate,
 * or if the judge finds an operator worse than the interval of its estimate. Decisions of a filter,
 * whose metric is no mean, are left to {@link DriftGuard}. A good canary fails with a probability
 * of at most 1 %, however often it is looked at ({@link BettingTest}). Cost and latency are
 * compared only if every operator processes documents one by one: else outcomes are groups or
 * pairs, and estimates are per source document.
 *
 * @param leastDocuments documents after which a canary that has not failed is promoted
 */
record CanaryGuard(int leastDocuments) {

  /** The inverse of 1 %, which all tests have together. */
  private static final double SURE = 100;

  /** Tests of failures, cost and latency; there is one more for each judged operator. */
  private static final int TESTS = 3;

  private static final int SHARES = 1000;

  /** The decision on a canary. */
  record Verdict(boolean promoted, String reason) {}

  /**
   * The decision; null while there are too few documents.
   *
   * @param judged judge counters of the canary, by operator
   */
  @Nullable Verdict judge(
      PhysicalPlan canary,
      EpochCounts seen,
      EpochCounts beside,
      Map<String, QualityCounts> judged) {
    double sure = SURE * (TESTS + judged.size());
    if (failsMore(seen, beside, sure)) {
      return bad(
          "%d of %d documents failed, of those beside it %d of %d",
          seen.failures(), seen.documents(), beside.failures(), beside.documents());
    }
    long documents = seen.documents();
    boolean comparable =
        documents > 0 && canary.steps().stream().allMatch(step -> step.logical().isPerDocument());
    Estimate promised = canary.estimate();
    if (comparable && exceeds(promised.cost(), documents, seen.cost(), seen.costSquares(), sure)) {
      return bad(
          "documents cost $%.6f, promised were $%.6f", seen.cost() / documents, promised.cost());
    }
    if (comparable
        && exceeds(promised.latency(), documents, seen.latency(), seen.latencySquares(), sure)) {
      return bad(
          "documents take %.2f s, promised were %.2f s",
          seen.latency() / documents, promised.latency());
    }
    for (PlanStep step : canary.steps()) {
      QualityCounts counts = judged.get(step.logical().id());
      StepEstimate estimate = canary.basis(step);
      if (counts != null && estimate != null && isWorse(counts, estimate.quality(), sure)) {
        return bad(
            "the judge finds a quality of %.2f in %d outputs of %s, promised were %.2f",
            counts.quality() / counts.judged(),
            counts.judged(),
            counts.operator(),
            estimate.quality().mean());
      }
    }
    return documents < leastDocuments
        ? null
        : new Verdict(
            true, "canary promoted: its first %d documents were as promised".formatted(documents));
  }

  private static boolean exceeds(
      double promised, long number, double sum, double squares, double sure) {
    return promised > 0
        && new BettingTest(DriftGuard.ABOVE * promised, Double.POSITIVE_INFINITY, true)
                .capital(number, sum, squares)
            >= sure;
  }

  private static boolean isWorse(QualityCounts counts, Range promised, double sure) {
    return counts.decisions() == null
        && DriftGuard.below(promised)
                .capital(counts.judged(), counts.quality(), counts.qualitySquares())
            >= sure;
  }

  /**
   * Whether, for every share, the canary's failures speak against a share that is not above it, or
   * those beside it against one that is not below it, together enough.
   */
  private static boolean failsMore(EpochCounts canary, EpochCounts beside, double sure) {
    for (int i = 1; i < SHARES; i++) {
      double share = (double) i / SHARES;
      double against =
          capital(new BettingTest(share, 1, true), canary)
              * capital(new BettingTest(share, 1, false), beside);
      if (against < sure) {
        return false;
      }
    }
    return true;
  }

  private static double capital(BettingTest test, EpochCounts counts) {
    double failures = counts.failures();
    return test.capital(counts.documents(), failures, failures);
  }

  @SuppressWarnings("AnnotateFormatMethod") // would need a library of annotations
  private static Verdict bad(String what, Object... values) {
    return new Verdict(false, "canary rolled back: " + String.format(Locale.ROOT, what, values));
  }
}
