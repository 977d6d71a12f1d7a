package dev.abacus.optimizer.sampling;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.search.cost.ArmStatistics;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.observation.Observation;
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
      List<Observation> observed = operator.observations(arm);
      if (!observed.isEmpty()) {
        ArmStatistics statistics = ArmStatistics.of(observed);
        OperatorEstimate estimate = statistics.estimate();
        if (estimate != null && statistics.failures() < statistics.samples()) {
          beliefs.put(arm, Belief.certain(estimate, statistics.samples()));
        }
      }
    }
    return beliefs;
  }
}
