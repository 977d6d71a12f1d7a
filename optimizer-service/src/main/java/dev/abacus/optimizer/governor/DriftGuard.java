package dev.abacus.optimizer.governor;

import dev.abacus.optimizer.sequential.BettingTest;
import dev.abacus.optimizer.sequential.ChangeDetector;
import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.StepEstimate;
import dev.abacus.schemas.program.Validation;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Detects drift: live documents differ from the estimate of the plan. Cost and latency drift if
 * their mean is above 1.25 times or below 0.8 times the estimate; the quality of an operator, as
 * the judge measures it, if its mean is outside of the interval of the estimate and more than
 * {@link #TOLERANCE} away from its mean. Each is looked for by a {@link ChangeDetector}, which
 * remembers all documents of the plan.
 *
 * <p>Decisions of a filter are compared by its metric ({@link QualityCounts#measured}), which is no
 * mean: its interval over all outputs since the plan, or the last drift, began is widened to hold
 * at any time.
 *
 * <p>After a drift the values measured since the change replace the estimate of that plan. So each
 * change is reported once, also if validation examples merely differ from live documents.
 */
final class DriftGuard {

  /** Half the width of a 99 % interval in standard errors. */
  static final double DEVIATIONS = 2.576;

  static final double ABOVE = 1.25;
  private static final double BELOW = 0.8;

  /** Falls of cost and latency take documents above this multiple of the estimate for no more. */
  private static final double MOST = 8;

  private static final double TOLERANCE = 0.01;

  /**
   * Least number of decisions of a filter, as their interval is one by the normal approximation.
   */
  private static final int LEAST_DECISIONS = 50;

  /**
   * Documents taken in together for each document in process. The first to finish are short ones,
   * and those that a filter drops: cheaper and faster than the mean.
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
   * @param expected estimate of that plan; the comparison begins anew when the search corrects it
   * @param from counters of the documents that were taken in
   * @param measures measured values by signature of the plan, where they replace the estimate
   * @param found number of drifts so far
   * @param judgedFrom judge counters that were taken in, by operator; of a filter, those at the
   *     start of the comparison
   * @param qualities measured qualities by {@code operator=implementation}, where they replace the
   *     estimate
   * @param detectors by what is looked for
   */
  record State(
      long epoch,
      @Nullable Measure expected,
      @Nullable EpochCounts from,
      Map<String, Measure> measures,
      int found,
      Map<String, QualityCounts> judgedFrom,
      Map<String, Range> qualities,
      Map<String, ChangeDetector> detectors) {
    static final State START = new State(0, null, null, Map.of(), 0, Map.of(), Map.of(), Map.of());

    State {
      // Absent in the state of an older version.
      judgedFrom = judgedFrom == null ? Map.of() : Map.copyOf(judgedFrom);
      qualities = qualities == null ? Map.of() : Map.copyOf(qualities);
      detectors = detectors == null ? Map.of() : Map.copyOf(detectors);
    }
  }

  private final TreeMap<String, Measure> measures;
  private final TreeMap<String, QualityCounts> judgedFrom;
  private final TreeMap<String, Range> qualities;
  private final TreeMap<String, ChangeDetector> detectors;
  private long epoch;
  private @Nullable Measure expected;
  private @Nullable EpochCounts from;
  private int found;

  /** The most documents in process since {@code from}. */
  private long inFlight;

  DriftGuard(State state) {
    this.epoch = state.epoch;
    this.expected = state.expected;
    this.from = state.from;
    this.measures = new TreeMap<>(state.measures);
    this.found = state.found;
    this.judgedFrom = new TreeMap<>(state.judgedFrom);
    this.qualities = new TreeMap<>(state.qualities);
    this.detectors = new TreeMap<>(state.detectors);
  }

  State state() {
    return new State(
        epoch, expected, from, Map.copyOf(measures), found, judgedFrom, qualities, detectors);
  }

  /**
   * Compares the present counters with the estimate: quality, and cost and latency if every
   * operator processes documents one by one. Else outcomes are groups or pairs, and estimates are
   * per source document. Nor are they compared while classifiers answer for implementations or
   * filters have an order of the document: the estimates are without them. Then a filter is asked
   * about other documents, too, so its quality is not compared. A cost or latency on which no
   * decision depends is not compared either: samples would be paid for nothing.
   *
   * @param metrics of the program
   * @param judged judge counters by operator
   * @param watched what decisions depend on
   * @param processing number of documents in process
   * @return the drift; null for none
   */
  @Nullable Drift tick(
      PhysicalPlan plan,
      EpochCounts total,
      Map<String, QualityCounts> judged,
      Validation metrics,
      Set<Dimension> watched,
      long processing) {
    EpochCounts before = from;
    inFlight = Math.max(inFlight, processing);
    Measure estimate = new Measure(plan.estimate().cost(), plan.estimate().latency());
    if (plan.epoch() != epoch || before == null || !estimate.equals(expected)) {
      epoch = plan.epoch();
      expected = estimate;
      from = total;
      judgedFrom.clear();
      judgedFrom.putAll(judged);
      detectors.clear();
      inFlight = processing;
      return null;
    }
    Drift drift = quality(plan, judged, metrics);
    EpochCounts seen = total.minus(before);
    boolean comparable =
        plan.learned().isEmpty()
            && plan.orders().isEmpty()
            && plan.steps().stream().allMatch(step -> step.logical().isPerDocument());
    if (drift == null
        && comparable
        && seen.documents() >= Math.max(1, FOR_EACH_IN_FLIGHT * inFlight)) {
      inFlight = processing;
      from = total;
      drift = costOrLatency(plan, seen, watched);
    }
    found += drift == null ? 0 : 1;
    return drift;
  }

  private @Nullable Drift costOrLatency(
      PhysicalPlan plan, EpochCounts seen, Set<Dimension> watched) {
    String signature = plan.choice().signature();
    Measure measure =
        measures.getOrDefault(
            signature, new Measure(plan.estimate().cost(), plan.estimate().latency()));
    long number = seen.documents();
    Range cost =
        watched.contains(Dimension.COST)
            ? changed("cost", measure.cost(), number, seen.cost(), seen.costSquares())
            : null;
    Range latency =
        watched.contains(Dimension.LATENCY)
            ? changed("latency", measure.latency(), number, seen.latency(), seen.latencySquares())
            : null;
    String what;
    if (cost != null) {
      what = described("cost", "$%.6f", measure.cost(), cost);
    } else if (latency != null) {
      what = described("latency", "%.2f s", measure.latency(), latency);
    } else {
      return null;
    }
    detectors.keySet().removeIf(key -> key.startsWith("cost") || key.startsWith("latency"));
    measures.put(
        signature,
        new Measure(
            cost == null ? measure.cost() : cost.mean(),
            latency == null ? measure.latency() : latency.mean()));
    return new Drift(what, listed(plan.choice().allSteps().stream()));
  }

  /** The mean since a change to above or below what is tolerated; null without one. */
  private @Nullable Range changed(
      String what, double expected, long number, double sum, double squares) {
    return expected <= 0
        ? null
        : changed(
            what,
            new BettingTest(ABOVE * expected, Double.POSITIVE_INFINITY, true),
            new BettingTest(BELOW * expected, MOST * expected, false),
            number,
            sum,
            squares);
  }

  private @Nullable Range changed(
      String what, BettingTest above, BettingTest below, long number, double sum, double squares) {
    ChangeDetector rises = detector(what + " above").with(above, number, sum, squares);
    ChangeDetector falls = detector(what + " below").with(below, number, sum, squares);
    detectors.put(what + " above", rises);
    detectors.put(what + " below", falls);
    return rises.isAlarm() ? rises.mean() : falls.isAlarm() ? falls.mean() : null;
  }

  private ChangeDetector detector(String key) {
    return detectors.getOrDefault(key, ChangeDetector.START);
  }

  private @Nullable Drift quality(
      PhysicalPlan plan, Map<String, QualityCounts> judged, Validation metrics) {
    for (PlanStep step : plan.steps()) {
      String operator = step.logical().id();
      QualityCounts total = judged.get(operator);
      Range estimate = expected(plan, step);
      if (total == null || estimate == null || plan.isOrdered(operator)) {
        continue;
      }
      QualityCounts seen =
          total.minus(judgedFrom.getOrDefault(operator, QualityCounts.none(epoch, operator)));
      if (seen.judged() == 0) {
        continue;
      }
      BettingTest below = below(estimate);
      BettingTest above = above(estimate);
      String key = "quality of " + operator;
      Range live;
      if (seen.decisions() != null) {
        live = outside(seen, metrics, below.limit(), above.limit());
      } else {
        judgedFrom.put(operator, total);
        live = changed(key, above, below, seen.judged(), seen.quality(), seen.qualitySquares());
      }
      if (live != null) {
        judgedFrom.put(operator, total);
        detectors.remove(key + " above");
        detectors.remove(key + " below");
        String steps = steps(plan, step);
        qualities.put(steps, within(live));
        return new Drift(described(operator, within(live), estimate), steps);
      }
    }
    return null;
  }

  /** The test for a quality that has fallen from an interval around a mean. */
  static BettingTest below(Range quality) {
    return new BettingTest(
        Math.max(0, Math.min(quality.lowest(), quality.mean() - TOLERANCE)), 1, false);
  }

  private static BettingTest above(Range quality) {
    return new BettingTest(
        Math.min(1, Math.max(quality.highest(), quality.mean() + TOLERANCE)), 1, true);
  }

  /** The metric of a filter's decisions, if it is outside of the limits; null if it is not. */
  private static @Nullable Range outside(
      QualityCounts seen, Validation metrics, double below, double above) {
    if (seen.judged() < LEAST_DECISIONS) {
      return null;
    }
    Range sure = seen.measured(metrics.metric(seen.operator()), anytime(seen.judged()));
    boolean outside =
        sure.low() != null && sure.high() != null && (sure.high() < below || sure.low() > above);
    return outside ? seen.measured(metrics.metric(seen.operator()), DEVIATIONS) : null;
  }

  /**
   * Half the width in standard errors of an interval that holds at all numbers of values together,
   * with 99 %: the normal mixture, narrowest near 500 (Waudby-Smith et al., "Time-uniform central
   * limit theory", 2024).
   */
  private static double anytime(long number) {
    double ratio = number / 50.0;
    return Math.sqrt((1 + 1 / ratio) * Math.log((1 + ratio) / (0.01 * 0.01)));
  }

  /** The expected quality of a step; null if unknown. */
  private @Nullable Range expected(PhysicalPlan plan, PlanStep step) {
    Range live = qualities.get(steps(plan, step));
    StepEstimate estimate = plan.basis(step);
    return live != null ? live : estimate == null ? null : estimate.quality();
  }

  /** Whether the quality of a step has drifted. */
  boolean hasDrifted(PhysicalPlan plan, PlanStep step) {
    return qualities.containsKey(steps(plan, step));
  }

  /** The steps of the operator, two in a mixture, as a signature lists them. */
  private static String steps(PhysicalPlan plan, PlanStep step) {
    return listed(
        plan.choice().allSteps().stream()
            .filter(one -> one.logical().id().equals(step.logical().id())));
  }

  private static String listed(Stream<PlanStep> steps) {
    return steps
        .map(step -> step.logical().id() + "=" + step.physical().id())
        .collect(Collectors.joining(" -> "));
  }

  private static Range within(Range live) {
    return Range.within(live.mean(), live.lowest(), live.highest(), 0, 1);
  }

  private static String described(String operator, Range live, Range estimate) {
    return String.format(
        Locale.ROOT,
        "the judge finds the quality of %s to be %.2f to %.2f, not %.2f (%.2f to %.2f)",
        operator,
        live.lowest(),
        live.highest(),
        estimate.mean(),
        estimate.lowest(),
        estimate.highest());
  }

  private static String described(String what, String format, double expected, Range live) {
    return String.format(
        Locale.ROOT,
        "%s per document is " + format + " to " + format + ", not " + format,
        what,
        Math.max(0, live.lowest()),
        live.highest(),
        expected);
  }
}
