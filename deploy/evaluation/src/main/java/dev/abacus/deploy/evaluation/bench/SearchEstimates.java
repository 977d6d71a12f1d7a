package dev.abacus.deploy.evaluation.bench;

import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Families of synthetic estimates, from easy to hard: the harder ones leave more non-dominated
 * candidates.
 */
public enum SearchEstimates {
  /** Independent quality, cost and latency; few candidates are on the frontier. */
  RANDOM,
  /** Quality increases with cost and latency, with noise, as in real implementations. */
  CORRELATED,
  /**
   * Quality increases strictly with cost and latency: no candidate dominates another, and few plans
   * dominate another plan. The worst case of a search.
   */
  ADVERSARIAL;

  /** Returns the name in reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Draws estimates for every operator of a program.
   *
   * @param candidates candidates per operator
   * @param threeMetrics whether latency is independent of cost
   */
  Map<String, List<Candidate>> draw(
      Program program, int candidates, boolean threeMetrics, RandomGenerator random) {
    Map<String, List<Candidate>> estimates = new LinkedHashMap<>();
    for (LogicalOperator operator : program.operators()) {
      List<Candidate> own = new ArrayList<>();
      boolean filter = operator.decides();
      for (int i = 0; i < candidates; i++) {
        double selectivity = filter ? random.nextDouble(0.2, 0.9) : 1;
        own.add(new Candidate("p" + i, draw(selectivity, threeMetrics, random)));
      }
      estimates.put(operator.id(), own);
    }
    return estimates;
  }

  private OperatorEstimate draw(double selectivity, boolean threeMetrics, RandomGenerator random) {
    double effort = random.nextDouble();
    double time = threeMetrics ? random.nextDouble() : effort;
    return switch (this) {
      case RANDOM ->
          new OperatorEstimate(
              random.nextDouble(0.3, 1),
              random.nextDouble(0.0001, 0.01),
              random.nextDouble(0.2, 10),
              selectivity);
      case CORRELATED ->
          new OperatorEstimate(
              0.3 + 0.7 * Math.clamp((effort + time) / 2 + random.nextGaussian() / 10, 0, 1),
              0.0001 * Math.exp(4 * effort + random.nextGaussian() / 2),
              0.3 * Math.exp(3 * time + random.nextGaussian() / 2),
              selectivity);
      case ADVERSARIAL ->
          new OperatorEstimate(
              0.3 + 0.7 * (effort + time) / 2,
              0.0001 * Math.exp(4.6 * effort),
              0.2 * Math.exp(4 * time),
              selectivity);
    };
  }
}
