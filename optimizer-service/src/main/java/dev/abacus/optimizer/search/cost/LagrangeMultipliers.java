package dev.abacus.optimizer.search.cost;

import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The Lagrange multipliers of the bounds of an objective: the price of one unit of each bounded
 * dimension, in units of the target. They maximize the Lagrangian dual of choosing one candidate
 * per operator (Everett: Generalized Lagrange multiplier method, 1963).
 *
 * <p>The dual is concave, and its slope in a multiplier is the amount by which the cheapest choice
 * exceeds the bound. So each multiplier is found by bisection; with several bounds, the search for
 * the second is nested within each step of the first.
 *
 * <p>Losses are additive over operators and smaller is better. A bound that the cheapest choice
 * meets has the multiplier 0.
 */
public final class LagrangeMultipliers {

  private static final int STEPS = 26;

  /** The largest multiplier, in units of the spread of the target per limit. */
  private static final double LARGEST = 1e4;

  private final double[][] losses;
  private final double[] limits;
  private final int width;
  private final double[] multipliers;

  /** The largest value of each multiplier: with more, rounding would hide all other losses. */
  private final double[] largest;

  private final double[] excess;

  private LagrangeMultipliers(double[][] losses, double[] limits) {
    this.losses = losses;
    this.limits = limits;
    this.width = 1 + limits.length;
    this.multipliers = new double[limits.length];
    this.largest = new double[limits.length];
    this.excess = new double[limits.length];
  }

  /** A dimension of a candidate as a loss. */
  @FunctionalInterface
  public interface Losses {
    double of(int operator, int candidate, Dimension dimension);
  }

  /**
   * Finds the multipliers of the bounds of an objective, in their order.
   *
   * @param candidates number of candidates by operator
   * @param limit the largest sum of losses that a bound allows
   */
  public static LagrangeMultipliers of(
      Objective objective, int[] candidates, Losses losses, ToDoubleFunction<Bound> limit) {
    List<Bound> bounds = objective.bounds();
    double[][] all = new double[candidates.length][];
    for (int operator = 0; operator < all.length; operator++) {
      all[operator] = new double[candidates[operator] * (1 + bounds.size())];
      int at = 0;
      for (int candidate = 0; candidate < candidates[operator]; candidate++) {
        all[operator][at++] = losses.of(operator, candidate, objective.target());
        for (Bound bound : bounds) {
          all[operator][at++] = losses.of(operator, candidate, bound.dimension());
        }
      }
    }
    return of(all, bounds.stream().mapToDouble(limit).toArray());
  }

  /**
   * Finds the multipliers.
   *
   * @param losses by operator: candidate after candidate, each with its loss in the target and then
   *     its loss in each bounded dimension
   * @param limits the largest sum of losses that each bound allows
   */
  static LagrangeMultipliers of(double[][] losses, double[] limits) {
    LagrangeMultipliers found = new LagrangeMultipliers(losses, limits);
    for (int b = 0; b < limits.length; b++) {
      found.largest[b] =
          LARGEST * found.spread(0) / Math.max(limits[b], found.spread(1 + b) * 1e-6);
    }
    found.search(0);
    return found;
  }

  /** The multiplier of a bound; 0 or more. */
  public double get(int bound) {
    return multipliers[bound];
  }

  /** The candidate of an operator with the least Lagrangian; the first of equal ones. */
  public int best(int operator) {
    return cheapest(losses[operator]) / width;
  }

  /** The largest difference between two plans in one loss. */
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

  /** Finds the multipliers from index {@code from} on for fixed earlier ones. */
  private void search(int from) {
    if (from == limits.length) {
      evaluate();
      return;
    }
    if (excessAt(from, 0) <= 0) {
      return;
    }
    double low = 0;
    double high = largest[from] * 1e-12;
    double[] excessAtLow = excess.clone();
    while (high < largest[from] && excessAt(from, high) > 0) {
      excessAtLow = excess.clone();
      low = high;
      high *= 8;
    }
    if (low == 0) {
      low = high * 1e-9;
    }
    for (int i = 0; i < STEPS; i++) {
      double middle = Math.sqrt(low * high);
      if (excessAt(from, middle) > 0) {
        excessAtLow = excess.clone();
        low = middle;
      } else {
        high = middle;
      }
    }
    if (excessAt(from, high) < 0) {
      combine(from, excessAtLow);
    }
  }

  /**
   * At the multiplier, two choices have the same Lagrangian; one exceeds the bound, the other does
   * not. Mixes their excesses so that the bound is met exactly: the slope of the dual in the
   * earlier multipliers.
   */
  private void combine(int bound, double[] above) {
    double share = excess[bound] / (excess[bound] - above[bound]);
    for (int b = 0; b < excess.length; b++) {
      excess[b] += share * (above[b] - excess[b]);
    }
  }

  private double excessAt(int bound, double multiplier) {
    multipliers[bound] = multiplier;
    search(bound + 1);
    return excess[bound];
  }

  private void evaluate() {
    for (int b = 0; b < limits.length; b++) {
      excess[b] = -limits[b];
    }
    for (double[] operator : losses) {
      int best = cheapest(operator);
      for (int b = 0; b < limits.length; b++) {
        excess[b] += operator[best + 1 + b];
      }
    }
  }

  /** The index at which the candidate with the least Lagrangian begins. */
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
}
