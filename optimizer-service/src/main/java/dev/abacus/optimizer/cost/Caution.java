package dev.abacus.optimizer.cost;

import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Keeps a plan away from the bounds of an objective by as much as its estimate may be off: of the
 * plans that meet the bounds, those are favoured at the edge whose estimates are too good, and a
 * plan that just meets a bound on paper breaks it in every second case.
 *
 * @param deviations how many standard deviations a plan keeps from a bound; 0 for none
 */
public record Caution(double deviations) {

  /** Less than this, of an amount or a deviation, counts as this. */
  private static final double LEAST = 1e-12;

  /**
   * The first plan that meets the bounds even if its estimate is off by as much as stated; if there
   * is none, the one that is surest to meet them, of those equally sure the first.
   *
   * @param chosen the plan if there is nothing to be cautious about
   * @param frontier plans whose estimates meet the bounds, the best by the target first
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
    P surest = chosen;
    double most = 0;
    for (P plan : frontier) {
      double margin = margin(objective, estimate.apply(plan), beliefs.apply(plan));
      if (margin >= deviations) {
        return plan;
      }
      if (margin > most) {
        surest = plan;
        most = margin;
      }
    }
    return surest;
  }

  /**
   * How many standard deviations an estimate keeps from the nearest bound; negative beyond it. What
   * beliefs are off by is independent, so it adds up in squares; cost and latency weigh by their
   * share of the plan.
   */
  static double margin(Objective objective, Estimate estimate, Collection<Belief> beliefs) {
    double margin = Double.POSITIVE_INFINITY;
    for (Bound bound : objective.bounds()) {
      margin =
          Math.min(
              margin,
              switch (bound.dimension()) {
                case QUALITY ->
                    deviations(
                        estimate.quality() - bound.limit(), estimate.quality() * quality(beliefs));
                case COST ->
                    deviations(
                        logarithm(bound.limit()) - logarithm(estimate.cost()),
                        share(beliefs, OperatorEstimate::cost, Belief::costDeviation));
                case LATENCY ->
                    deviations(
                        logarithm(bound.limit()) - logarithm(estimate.latency()),
                        share(beliefs, OperatorEstimate::latency, Belief::latencyDeviation));
              });
    }
    return margin;
  }

  private static double deviations(double room, double deviation) {
    return room / Math.max(LEAST, deviation);
  }

  private static double logarithm(double amount) {
    return Math.log(Math.max(LEAST, amount));
  }

  /** By what share of itself a product of qualities may be off. */
  private static double quality(Collection<Belief> beliefs) {
    return Math.sqrt(
        beliefs.stream()
            .mapToDouble(belief ->
                square(belief.qualityDeviation() / Math.max(1e-3, belief.mean().quality())))
            .sum());
  }

  /** By what share of itself a sum may be off. */
  private static double share(
      Collection<Belief> beliefs,
      ToDoubleFunction<OperatorEstimate> amount,
      ToDoubleFunction<Belief> deviation) {
    double sum = 0;
    double squares = 0;
    for (Belief belief : beliefs) {
      double of = amount.applyAsDouble(belief.mean());
      sum += of;
      squares += square(of * deviation.applyAsDouble(belief));
    }
    return sum > 0 ? Math.sqrt(squares) / sum : 0;
  }

  private static double square(double x) {
    return x * x;
  }
}
