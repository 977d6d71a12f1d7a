package dev.abacus.optimizer.governor;

import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.StepEstimate;
import dev.abacus.schemas.program.Validation;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Detects drift: live documents differ from the estimate of the plan. Compares blocks of documents,
 * each at least ten times as many as are in process. Cost or latency has drifted if its confidence
 * interval lies completely above 1.25 times or below 0.8 times the estimate. The quality of an
 * operator has drifted if the interval that the judge measures lies completely outside of the
 * interval of the estimate, by more than {@link #LEAST_QUALITY}.
 *
 * <p>After a drift the measured values replace the estimate of that plan. So each change is
 * reported once, also if validation examples merely differ from live documents. Decisions of a
 * filter are compared by its metric, as the estimate is ({@link QualityCounts#measured}).
 */
final class DriftGuard {

  private static final double ABOVE = 1.25;
  private static final double BELOW = 0.8;

  private static final double LEAST_QUALITY = 0.05;

  /**
   * Documents in a block for each document in process. The first to finish are short ones, and
   * those that a filter drops: cheaper and faster than the mean.
   */
  private static final int FOR_EACH_IN_FLIGHT = 10;

  /** Expected cost in USD and latency in seconds per document. */
  record Measure(double cost, double latency) {}

  /**
   * A drift.
   *
   * @param what a description
   * @param measuredAnew the steps concerned, as in a plan's signature
   */
  record Drift(String what, String measuredAnew) {}

  /**
   * State over restarts, part of {@link GovernorState}.
   *
   * @param epoch epoch whose documents are compared
   * @param from counters at the start of the present block
   * @param measures measured values by signature of the plan, where they replace the estimate
   * @param found number of drifts so far
   * @param judgedFrom judge counters at the start of the present block, by operator
   * @param qualities measured qualities by {@code operator=implementation}, where they replace the
   *     estimate
   */
  record State(
      long epoch,
      @Nullable EpochCounts from,
      Map<String, Measure> measures,
      int found,
      Map<String, QualityCounts> judgedFrom,
      Map<String, Range> qualities) {
    static final State START = new State(0, null, Map.of(), 0, Map.of(), Map.of());

    State(
        long epoch,
        @Nullable EpochCounts from,
        Map<String, Measure> measures,
        int found,
        @Nullable Map<String, QualityCounts> judgedFrom,
        @Nullable Map<String, Range> qualities) {
      this.epoch = epoch;
      this.from = from;
      this.measures = measures;
      this.found = found;
      // Absent in the state of an older version.
      this.judgedFrom = judgedFrom == null ? Map.of() : Map.copyOf(judgedFrom);
      this.qualities = qualities == null ? Map.of() : Map.copyOf(qualities);
    }
  }

  private final int block;
  private State state;

  /** The most documents in process during the present block. */
  private long inFlight;

  DriftGuard(State state, int block) {
    this.state = state;
    this.block = block;
  }

  State state() {
    return state;
  }

  /**
   * Compares the present counters with the estimate: quality, and cost and latency if every
   * operator processes documents one by one. Else outcomes are groups or pairs, and estimates are
   * per source document.
   *
   * @param metrics of the program
   * @param judged judge counters by operator
   * @param processing number of documents in process
   * @return the drift; null without one or with too few documents
   */
  @Nullable Drift tick(
      PhysicalPlan plan,
      EpochCounts total,
      Map<String, QualityCounts> judged,
      Validation metrics,
      long processing) {
    EpochCounts from = state.from;
    inFlight = Math.max(inFlight, processing);
    if (plan.epoch() != state.epoch || from == null) {
      state = new State(plan.epoch(), total, state.measures, state.found, judged, state.qualities);
      inFlight = processing;
      return null;
    }
    Drift ofQuality = quality(plan, judged, metrics);
    if (ofQuality != null) {
      return ofQuality;
    }
    EpochCounts seen = total.minus(from);
    boolean comparable = plan.steps().stream().allMatch(step -> step.logical().isPerDocument());
    if (!comparable || seen.documents() < Math.max(block, FOR_EACH_IN_FLIGHT * inFlight)) {
      return null;
    }
    inFlight = processing;
    String signature = plan.choice().signature();
    Measure measure =
        state.measures.getOrDefault(
            signature, new Measure(plan.estimate().cost(), plan.estimate().latency()));
    String drift = drift("cost", "$%.6f", measure.cost(), ConfidenceInterval.ofCost(seen));
    if (drift == null) {
      drift = drift("latency", "%.2f s", measure.latency(), ConfidenceInterval.ofLatency(seen));
    }
    Map<String, Measure> measures = new TreeMap<>(state.measures);
    if (drift != null) {
      measures.put(
          signature,
          new Measure(seen.cost() / seen.documents(), seen.latency() / seen.documents()));
    }
    state =
        new State(
            plan.epoch(),
            total,
            measures,
            state.found + (drift == null ? 0 : 1),
            state.judgedFrom,
            state.qualities);
    return drift == null ? null : new Drift(drift, signature);
  }

  private @Nullable Drift quality(
      PhysicalPlan plan, Map<String, QualityCounts> judged, Validation metrics) {
    for (PlanStep step : plan.steps()) {
      String operator = step.logical().id();
      QualityCounts total = judged.get(operator);
      Range estimate = expected(plan, step);
      if (total == null || estimate == null) {
        continue;
      }
      QualityCounts seen =
          total.minus(
              state.judgedFrom.getOrDefault(operator, QualityCounts.none(plan.epoch(), operator)));
      if (seen.judged() < block) {
        continue;
      }
      Range live = seen.measured(metrics.metric(operator), ConfidenceInterval.DEVIATIONS);
      Drift drift = quality(step, estimate, ConfidenceInterval.of(live));
      Map<String, QualityCounts> begun = new TreeMap<>(state.judgedFrom);
      begun.put(operator, total);
      Map<String, Range> qualities = new TreeMap<>(state.qualities);
      if (drift != null) {
        qualities.put(drift.measuredAnew(), live);
      }
      state =
          new State(
              state.epoch,
              state.from,
              state.measures,
              state.found + (drift == null ? 0 : 1),
              begun,
              qualities);
      if (drift != null) {
        return drift;
      }
    }
    return null;
  }

  /** The expected quality of a step; null if unknown. */
  private @Nullable Range expected(PhysicalPlan plan, PlanStep step) {
    Range live = state.qualities.get(signature(step));
    StepEstimate estimate = plan.basis(step);
    return live != null ? live : estimate == null ? null : estimate.quality();
  }

  private static String signature(PlanStep step) {
    return step.logical().id() + "=" + step.physical().id();
  }

  private static @Nullable Drift quality(PlanStep step, Range estimate, ConfidenceInterval live) {
    double low = estimate.low() == null ? estimate.mean() : estimate.low();
    double high = estimate.high() == null ? estimate.mean() : estimate.high();
    boolean separate =
        live.high() < Math.min(low, estimate.mean() - LEAST_QUALITY)
            || live.low() > Math.max(high, estimate.mean() + LEAST_QUALITY);
    return separate
        ? new Drift(
            String.format(
                Locale.ROOT,
                "the judge finds the quality of %s to be %.2f to %.2f, not %.2f (%.2f to %.2f)",
                step.logical().id(),
                Math.max(0, live.low()),
                Math.min(1, live.high()),
                estimate.mean(),
                low,
                high),
            signature(step))
        : null;
  }

  private static @Nullable String drift(
      String what, String format, double expected, ConfidenceInterval live) {
    boolean separate =
        expected > 0 && (live.low() > ABOVE * expected || live.high() < BELOW * expected);
    return separate
        ? String.format(
            Locale.ROOT,
            "%s per document is " + format + " to " + format + ", not " + format,
            what,
            Math.max(0, live.low()),
            live.high(),
            expected)
        : null;
  }
}
