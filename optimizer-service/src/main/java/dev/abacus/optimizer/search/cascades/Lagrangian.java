package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.LagrangeMultipliers;
import dev.abacus.optimizer.search.pareto.MetricVector;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.List;

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
      Objective objective,
      List<List<MetricVector>> candidates,
      double[] reaching,
      double[] shares) {
    List<Bound> bounds = objective.bounds();
    double[] limits = new double[bounds.size()];
    for (int b = 0; b < limits.length; b++) {
      limits[b] = loss(bounds.get(b).dimension(), bounds.get(b).limit());
    }
    double[][] losses = new double[candidates.size()][];
    for (int position = 0; position < losses.length; position++) {
      losses[position] =
          losses(objective, candidates.get(position), reaching[position], shares[position]);
    }
    LagrangeMultipliers multipliers = LagrangeMultipliers.of(losses, limits);
    double constant = 0;
    for (int b = 0; b < limits.length; b++) {
      constant += multipliers.get(b) * limits[b];
    }
    return new Lagrangian(
        weight(objective, multipliers, Dimension.QUALITY),
        weight(objective, multipliers, Dimension.COST),
        weight(objective, multipliers, Dimension.LATENCY),
        constant);
  }

  private static double[] losses(
      Objective objective, List<MetricVector> candidates, double reaching, double share) {
    double[] losses = new double[candidates.size() * (1 + objective.bounds().size())];
    int at = 0;
    for (MetricVector candidate : candidates) {
      losses[at++] = loss(objective.target(), candidate, reaching, share);
      for (Bound bound : objective.bounds()) {
        losses[at++] = loss(bound.dimension(), candidate, reaching, share);
      }
    }
    return losses;
  }

  private static double loss(
      Dimension dimension, MetricVector candidate, double reaching, double share) {
    return switch (dimension) {
      case QUALITY -> loss(dimension, candidate.quality());
      case COST -> candidate.cost() * reaching;
      case LATENCY -> candidate.latency() * share;
    };
  }

  private static double weight(
      Objective objective, LagrangeMultipliers multipliers, Dimension dimension) {
    if (dimension == objective.target()) {
      return 1;
    }
    for (int b = 0; b < objective.bounds().size(); b++) {
      if (objective.bounds().get(b).dimension() == dimension) {
        return multipliers.get(b);
      }
    }
    return 0;
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
  double fixed(MetricVector perInput) {
    double sum = latency * perInput.latency();
    return quality == 0 ? sum : sum + quality * loss(Dimension.QUALITY, perInput.quality());
  }

  /** What an implementation adds per input. */
  double perInput(MetricVector perInput) {
    return cost * perInput.cost();
  }
}
