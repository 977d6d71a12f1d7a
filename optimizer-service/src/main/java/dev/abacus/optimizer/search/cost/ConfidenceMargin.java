package dev.abacus.optimizer.search.cost;

import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * Keeps a plan away from the bounds of an objective by as much as its estimate may be off: of the
 * plans that meet the bounds, those are favoured at the edge whose estimates are too good, and a
 * plan that just meets a bound on paper breaks it in every second case.
 *
 * @param deviations how many standard deviations a plan keeps from a bound; 0 for none
 */
public record ConfidenceMargin(double deviations) {

  /**
   * The first plan that meets the bounds even if its estimate is off by as much as stated, or else
   * the one that was chosen.
   *
   * @param frontier the best by the target first
   * @param beliefs of the implementations of a plan
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
          Estimate careful = careful(estimate.apply(plan), beliefs.apply(plan));
          return objective.bounds().stream()
              .allMatch(bound -> bound.holds(careful.get(bound.dimension())));
        })
        .findFirst()
        .orElse(chosen);
  }

  /**
   * A plan's estimate, worse by what the beliefs may be off. What they are off by is independent,
   * so it adds up in squares; cost and latency weigh by their share of the plan.
   */
  Estimate careful(Estimate estimate, Collection<Belief> beliefs) {
    double cost = 0;
    double latency = 0;
    double qualitySquares = 0;
    double costSquares = 0;
    double latencySquares = 0;
    for (Belief belief : beliefs) {
      OperatorEstimate mean = belief.mean();
      cost += mean.cost();
      latency += mean.latency();
      qualitySquares += square(belief.qualityDeviation() / Math.max(1e-3, mean.quality()));
      costSquares += square(mean.cost() * belief.costDeviation());
      latencySquares += square(mean.latency() * belief.latencyDeviation());
    }
    return new Estimate(
        Math.max(0, estimate.quality() * (1 - deviations * Math.sqrt(qualitySquares))),
        estimate.cost() * factor(costSquares, cost),
        estimate.latency() * factor(latencySquares, latency));
  }

  private double factor(double squares, double sum) {
    return sum > 0 ? Math.exp(deviations * Math.sqrt(squares) / sum) : 1;
  }

  private static double square(double x) {
    return x * x;
  }
}
