package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.estimate.StoredAnswers;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cost.ArmStatistics;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.SampleSummary;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Quantiles;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.StepEstimate;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * 95 % confidence intervals of the estimates of implementations. If the sampling policy models the
 * deviation of its estimates, the interval is normal with that deviation; for sample means it is
 * Student's t interval.
 *
 * <p>The deviation of a cascade follows from labelled examples and the calls of its model.
 */
public final class ConfidenceIntervals {

  private static final double NORMAL = 1.96;

  private ConfidenceIntervals() {}

  /**
   * The intervals of all sampled implementations in these plans, by operator and implementation.
   */
  public static Map<String, Map<String, StepEstimate>> of(
      ProgramSnapshot view, Map<String, Map<Arm, Belief>> beliefs, Collection<PlanChoice> plans) {
    StoredAnswers stored = view.storedAnswers();
    Map<String, Map<String, StepEstimate>> all = new TreeMap<>();
    for (PlanChoice plan : plans) {
      for (PlanStep step : plan.steps()) {
        String operator = step.logical().id();
        String id = step.physical().id();
        Belief belief = beliefs.getOrDefault(operator, Map.of()).get(Arm.named(id));
        if (belief != null) {
          all.computeIfAbsent(operator, _ -> new TreeMap<>())
              .computeIfAbsent(
                  id,
                  _ ->
                      estimate(
                          belief,
                          raw(view, operator, step.physical()),
                          stored.of(operator, step.physical())));
        }
      }
    }
    return all;
  }

  private static @Nullable ArmStatistics raw(
      ProgramSnapshot view, String operator, PhysicalOperator physical) {
    return view.samples().statistics().find(operator, physical);
  }

  private static StepEstimate estimate(
      Belief belief, @Nullable ArmStatistics raw, StoredAnswers.Remainder live) {
    OperatorEstimate mean = belief.mean();
    boolean modelled = belief.quality().deviation() > 0 || belief.cost().deviation() > 0;
    return raw == null || modelled
        ? new StepEstimate(
            belief.samples(),
            around(mean.quality(), belief.quality().deviation(), 1),
            times(mean.cost(), belief.cost().deviation()),
            times(mean.latency(), belief.latency().deviation()),
            mean.selectivity())
        : new StepEstimate(
            belief.samples(),
            sampled(mean.quality(), raw.quality(), 1, 0, 1),
            sampled(mean.cost(), raw.cost(), live.cost(), live.deviation(), Double.MAX_VALUE),
            sampled(
                mean.latency(), raw.latency(), live.latency(), live.deviation(), Double.MAX_VALUE),
            mean.selectivity());
  }

  private static Range around(double mean, double deviation, double most) {
    double half = NORMAL * deviation;
    return Range.within(mean, mean - half, mean + half, 0, most);
  }

  private static Range times(double mean, double logDeviation) {
    double factor = Math.exp(NORMAL * logDeviation);
    return Range.within(mean, mean / factor, mean * factor, 0, Double.MAX_VALUE);
  }

  /**
   * The interval of a mean.
   *
   * @param mean of live documents
   * @param part that the answer store leaves of the samples' mean, with its relative deviation
   */
  private static Range sampled(
      double mean, @Nullable SampleSummary samples, double part, double deviation, double most) {
    if (samples == null || samples.count() < 2) {
      return Range.of(mean);
    }
    double half =
        Quantiles.student(samples.count() - 1) * samples.deviation() / Math.sqrt(samples.count());
    return around(mean, Math.hypot(part * half / NORMAL, deviation * mean), most);
  }
}
