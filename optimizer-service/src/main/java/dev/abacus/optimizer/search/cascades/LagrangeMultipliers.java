package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.pareto.MetricVector;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.List;

/**
 * Finds the Lagrange multipliers of the bounds, the prices at which breaking a bound does not pay:
 * those that maximize the dual of the problem with every operator's inputs fixed (Everett:
 * Generalized Lagrange multiplier method, 1963). The dual is concave, and its slope in a multiplier
 * is by how much the bound is overrun; so each is found by bisection, the second within the first.
 */
final class LagrangeMultipliers {

  private static final int STEPS = 26;
  private static final double STEEPEST = 1e4;

  private final Dimension target;
  private final List<Bound> bounds;

  /** By operator, candidate after candidate: loss in the target, then in each bounded dimension. */
  private final double[][] losses;

  private final int width;

  private final double[] limits;
  private final double[] multipliers;

  /** What each multiplier may be: beyond it nothing but the bound would be left of any sum. */
  private final double[] most;

  private final double[] overrun;

  private LagrangeMultipliers(
      Objective objective, List<List<MetricVector>> candidates, double[] reaching) {
    this.target = objective.target();
    this.bounds = objective.bounds();
    this.width = 1 + bounds.size();
    this.losses = new double[candidates.size()][];
    for (int position = 0; position < losses.length; position++) {
      losses[position] = losses(candidates.get(position), reaching[position]);
    }
    this.limits = new double[bounds.size()];
    for (int b = 0; b < limits.length; b++) {
      limits[b] = Losses.of(bounds.get(b));
    }
    this.multipliers = new double[limits.length];
    this.most = new double[limits.length];
    for (int b = 0; b < limits.length; b++) {
      most[b] = STEEPEST * spread(0) / Math.max(limits[b], spread(1 + b) * 1e-6);
    }
    this.overrun = new double[limits.length];
  }

  /**
   * The weights of an objective.
   *
   * @param candidates by position: what each does with one input
   * @param reaching by position: inputs per source document, as they are expected
   */
  static Lagrangian of(
      Objective objective, List<List<MetricVector>> candidates, double[] reaching) {
    LagrangeMultipliers search = new LagrangeMultipliers(objective, candidates, reaching);
    search.settle(0);
    return search.weights();
  }

  /** How far plans can be apart in a loss. */
  private double spread(int loss) {
    double sum = 1e-9;
    for (double[] operator : losses) {
      double least = Double.POSITIVE_INFINITY;
      double greatest = 0;
      for (int at = loss; at < operator.length; at += width) {
        least = Math.min(least, operator[at]);
        greatest = Math.max(greatest, operator[at]);
      }
      sum += greatest - least;
    }
    return sum;
  }

  private double[] losses(List<MetricVector> candidates, double reaching) {
    double[] losses = new double[candidates.size() * width];
    int at = 0;
    for (MetricVector candidate : candidates) {
      losses[at++] = loss(target, candidate, reaching);
      for (Bound bound : bounds) {
        losses[at++] = loss(bound.dimension(), candidate, reaching);
      }
    }
    return losses;
  }

  private static double loss(Dimension dimension, MetricVector candidate, double reaching) {
    return switch (dimension) {
      case QUALITY -> Losses.ofQuality(candidate.quality());
      case COST -> candidate.cost() * reaching;
      case LATENCY -> candidate.latency();
    };
  }

  /** Finds the multipliers from the given one on, the earlier ones as they are. */
  private void settle(int from) {
    if (from == limits.length) {
      evaluate();
      return;
    }
    if (overrunAt(from, 0) <= 0) {
      return;
    }
    double low = 0;
    double high = most[from] * 1e-12;
    while (high < most[from] && overrunAt(from, high) > 0) {
      low = high;
      high *= 8;
    }
    if (low == 0) {
      low = high * 1e-9;
    }
    for (int i = 0; i < STEPS; i++) {
      double middle = Math.sqrt(low * high);
      if (overrunAt(from, middle) > 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    overrunAt(from, high);
  }

  private double overrunAt(int bound, double multiplier) {
    multipliers[bound] = multiplier;
    settle(bound + 1);
    return overrun[bound];
  }

  private void evaluate() {
    for (int b = 0; b < limits.length; b++) {
      overrun[b] = -limits[b];
    }
    for (double[] operator : losses) {
      int best = cheapest(operator);
      for (int b = 0; b < limits.length; b++) {
        overrun[b] += operator[best + 1 + b];
      }
    }
  }

  /** Where the candidate begins that is the least loss at these multipliers. */
  private int cheapest(double[] operator) {
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int at = 0; at < operator.length; at += width) {
      double value = operator[at];
      for (int b = 1; b < width; b++) {
        value += multipliers[b - 1] * operator[at + b];
      }
      if (value < least) {
        least = value;
        best = at;
      }
    }
    return best;
  }

  private Lagrangian weights() {
    double constant = 0;
    for (int b = 0; b < limits.length; b++) {
      constant += multipliers[b] * limits[b];
    }
    return new Lagrangian(
        weight(Dimension.QUALITY), weight(Dimension.COST), weight(Dimension.LATENCY), constant);
  }

  private double weight(Dimension dimension) {
    if (dimension == target) {
      return 1;
    }
    for (int b = 0; b < limits.length; b++) {
      if (bounds.get(b).dimension() == dimension) {
        return multipliers[b];
      }
    }
    return 0;
  }
}
