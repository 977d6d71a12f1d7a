package dev.abacus.optimizer.search.cost;

import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * Keeps the chosen plan at a distance from the bounds of an objective, by the uncertainty of its
 * estimate. Without a margin, a search prefers plans whose estimates are too good, and a plan that
 * just meets a bound breaks it in every second case.
 *
 * @param deviations distance in standard deviations; 0 for no margin
 */
public record ConfidenceMargin(double deviations) {

  /**
   * The first plan of the frontier whose pessimistic estimate meets the bounds, or {@code chosen}
   * if there is none.
   *
   * @param frontier plans, the best by the target first
   * @param beliefs returns the beliefs of the implementations of a plan
   */
  public <P> P choose(
      P chosen,
      List<P> frontier,
      Objective objective,
      Function<P, Estimate> estimate,
      Function<P, Collection<Belief>> beliefs) {
    if (deviations == 0 || objective.bounds().isEmpty()) {
      return chosen;
    }
    return frontier.stream()
        .filter(plan -> {
          Estimate pessimistic = pessimistic(estimate.apply(plan), beliefs.apply(plan));
          return objective.bounds().stream()
              .allMatch(bound -> bound.holds(pessimistic.get(bound.dimension())));
        })
        .findFirst()
        .orElse(chosen);
  }

  /**
   * The pessimistic estimate of a plan: worse by {@link #deviations} standard deviations. Errors of
   * operators are independent, so variances add up. Latency weighs by its share of the plan, cost
   * by the documents that reach an operator ({@link CostUncertainty}).
   */
  Estimate pessimistic(Estimate estimate, Collection<Belief> beliefs) {
    double latency = 0;
    double qualitySquares = 0;
    double latencySquares = 0;
    for (Belief belief : beliefs) {
      OperatorEstimate mean = belief.mean();
      latency += mean.latency();
      qualitySquares += square(belief.qualityDeviation() / Math.max(1e-3, mean.quality()));
      latencySquares += square(mean.latency() * belief.latencyDeviation());
    }
    return new Estimate(
        Math.max(0, estimate.quality() * (1 - deviations * Math.sqrt(qualitySquares))),
        estimate.cost() + deviations * CostUncertainty.deviation(beliefs, Belief::costDeviation),
        estimate.latency() * factor(latencySquares, latency));
  }

  private double factor(double squares, double sum) {
    return sum > 0 ? Math.exp(deviations * Math.sqrt(squares) / sum) : 1;
  }

  private static double square(double x) {
    return x * x;
  }
}
