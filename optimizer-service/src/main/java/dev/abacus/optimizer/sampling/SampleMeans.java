package dev.abacus.optimizer.sampling;

import dev.abacus.optimizer.estimate.ArmStatistics;
import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.estimate.LiveAmounts;
import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.estimate.Measurement;
import dev.abacus.optimizer.estimate.SampleSummary;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Beliefs that are the means of observations, as in the cost model of the paper. */
final class SampleMeans {

  private SampleMeans() {}

  static Map<String, Map<Arm, Belief>> of(SamplingState situation) {
    Map<String, Map<Arm, Belief>> beliefs = new LinkedHashMap<>();
    situation.operators().forEach(operator -> beliefs.put(operator.operator(), of(operator)));
    return beliefs;
  }

  private static Map<Arm, Belief> of(OperatorSamples operator) {
    Map<Arm, Belief> beliefs = new TreeMap<>();
    for (Arm arm : operator.arms()) {
      List<Measurement> observed = operator.measurements(arm);
      if (!observed.isEmpty()) {
        ArmStatistics statistics = ArmStatistics.of(observed);
        OperatorEstimate estimate = statistics.estimate();
        if (estimate != null && !statistics.alwaysFailed()) {
          beliefs.put(arm, belief(estimate, statistics, operator.readings().live(arm.id())));
        }
      }
    }
    return beliefs;
  }

  /**
   * The means with Student's t errors: relative ones of cost and latency. A single sample tells no
   * error.
   */
  private static Belief belief(OperatorEstimate mean, ArmStatistics statistics, LiveAmounts live) {
    SampleSummary quality = statistics.quality();
    return new Belief(
        live.stored().of(mean),
        statistics.samples(),
        Math.max(1, statistics.samples() - 1),
        Loadings.own(quality == null ? 0 : quality.standardError()).plus(live.quality()),
        relative(statistics.cost(), live.cost()),
        relative(statistics.latency(), live.latency()),
        Loadings.NONE);
  }

  private static Loadings relative(SampleSummary samples, Loadings live) {
    return samples.count() < 2 || samples.mean() == 0
        ? Loadings.NONE
        : Loadings.own(samples.standardError() / samples.mean()).plus(live);
  }
}
