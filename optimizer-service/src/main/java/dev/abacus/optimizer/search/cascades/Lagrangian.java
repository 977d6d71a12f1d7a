package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.LagrangeMultipliers;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The Lagrangian of an objective: {@code loss(target) + Σ multiplier · (loss − limit)} over its
 * bounds. A feasible plan's loss in the target is never less than its Lagrangian, for any
 * multipliers ≥ 0.
 *
 * <p>A loss is a dimension as an amount that is additive along a plan, smaller being better: cost
 * and latency as they are, quality as its negative logarithm.
 *
 * @param quality weight of the loss of quality: 1 for the target, else the multiplier of its bound,
 *     or 0
 * @param cost weight of the cost
 * @param latency weight of the latency
 * @param constant {@code Σ multiplier · limit}
 */
record Lagrangian(double quality, double cost, double latency, double constant) {

  /** Far below any meaningful quality; avoids the logarithm of 0. */
  private static final double LEAST_QUALITY = 1e-300;

  /**
   * The Lagrangian with the multipliers that maximize its dual.
   *
   * @param candidates by position: what each candidate does with one input
   * @param reaching by position: expected inputs per source document
   * @param shares by position: the part of its latency that counts, see {@link #in}
   */
  static Lagrangian of(
      Objective given, List<List<Candidate>> candidates, double[] reaching, double[] shares) {
    // A quality of 0 has no loss that adds up, and every plan has it.
    Objective objective =
        new Objective(
            given.target(),
            given.bounds().stream()
                .filter(bound -> bound.dimension() != Dimension.QUALITY || bound.limit() > 0)
                .toList());
    LagrangeMultipliers multipliers =
        LagrangeMultipliers.of(
            objective,
            candidates.stream().mapToInt(List::size).toArray(),
            (position, candidate, dimension) -> {
              OperatorEstimate one = candidates.get(position).get(candidate).estimate();
              return switch (dimension) {
                case QUALITY -> loss(dimension, one.quality());
                case COST -> one.cost() * reaching[position];
                case LATENCY -> one.latency() * shares[position];
              };
            },
            bound -> loss(bound.dimension(), bound.limit()));
    Map<Dimension, Double> weights = new EnumMap<>(Dimension.class);
    weights.put(objective.target(), 1.0);
    double constant = 0;
    for (int b = 0; b < objective.bounds().size(); b++) {
      Bound bound = objective.bounds().get(b);
      weights.put(bound.dimension(), multipliers.get(b));
      constant += multipliers.get(b) * loss(bound.dimension(), bound.limit());
    }
    return new Lagrangian(
        weights.getOrDefault(Dimension.QUALITY, 0.0),
        weights.getOrDefault(Dimension.COST, 0.0),
        weights.getOrDefault(Dimension.LATENCY, 0.0),
        constant);
  }

  /** The loss of a value in a dimension. */
  static double loss(Dimension dimension, double value) {
    return dimension == Dimension.QUALITY ? -Math.log(Math.max(value, LEAST_QUALITY)) : value;
  }

  /**
   * The Lagrangian of a part of the plan.
   *
   * @param reaching the least number of documents per source document that reach the part
   * @param share in [0, 1]: of two sides, the longer one counts, and no weighted mean of both is
   *     longer; this is the weight of the part in the mean
   */
  Lagrangian in(double reaching, double share) {
    return new Lagrangian(quality, cost * reaching, latency * share, constant);
  }

  /** The Lagrangian of a subplan. */
  double of(double quality, double cost, double latency) {
    double sum = this.cost * cost + this.latency * latency - constant;
    return this.quality == 0 ? sum : sum + this.quality * loss(Dimension.QUALITY, quality);
  }

  /** What an implementation adds regardless of the number of inputs: all but its cost. */
  double fixed(OperatorEstimate perInput) {
    double sum = latency * perInput.latency();
    return quality == 0 ? sum : sum + quality * loss(Dimension.QUALITY, perInput.quality());
  }

  /** What an implementation adds per input. */
  double perInput(OperatorEstimate perInput) {
    return cost * perInput.cost();
  }
}
