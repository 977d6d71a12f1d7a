package dev.abacus.optimizer.governor;

import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.plan.PhysicalPlan;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Cost and latency of live documents against the plan's estimate, a block of documents at a time.
 * They have drifted when their interval lies wholly more than a quarter above, or a fifth below.
 * What a drift led to is the new measure of that plan, so that one change is reported once, also if
 * validation examples are simply other documents than live ones.
 */
final class DriftGuard {

  private static final double ABOVE = 1.25;
  private static final double BELOW = 0.8;

  /** What is taken to be right of a plan. */
  record Measure(double cost, double latency) {}

  /**
   * What is remembered.
   *
   * @param epoch whose documents are looked at
   * @param from counts when the present block began
   * @param measures by plan's signature, where live documents corrected the estimate
   * @param found drifts so far
   */
  record State(long epoch, @Nullable EpochCounts from, Map<String, Measure> measures, int found) {
    static final State START = new State(0, null, Map.of(), 0);
  }

  private final int block;
  private State state;

  DriftGuard(State state, int block) {
    this.state = state;
    this.block = block;
  }

  State state() {
    return state;
  }

  /** What has drifted, in words; null if nothing has, or it is too early to say. */
  @Nullable String tick(PhysicalPlan plan, EpochCounts total) {
    EpochCounts from = state.from;
    if (plan.epoch() != state.epoch || from == null) {
      state = new State(plan.epoch(), total, state.measures, state.found);
      return null;
    }
    EpochCounts seen = total.minus(from);
    if (seen.documents() < block) {
      return null;
    }
    String signature = plan.choice().signature();
    Measure measure =
        state.measures.getOrDefault(
            signature, new Measure(plan.estimate().cost(), plan.estimate().latency()));
    String drift = drift("cost", "$%.6f", measure.cost(), Interval.ofCost(seen));
    if (drift == null) {
      drift = drift("latency", "%.2f s", measure.latency(), Interval.ofLatency(seen));
    }
    Map<String, Measure> measures = new TreeMap<>(state.measures);
    if (drift != null) {
      measures.put(
          signature,
          new Measure(seen.cost() / seen.documents(), seen.latency() / seen.documents()));
    }
    state = new State(plan.epoch(), total, measures, state.found + (drift == null ? 0 : 1));
    return drift;
  }

  private static @Nullable String drift(
      String what, String format, double expected, Interval live) {
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
