package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.schemas.objective.Dimension;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Chooses the arms of one operator whose next samples are worth most (Frazier, Powell and Dayanik
 * 2009, "The knowledge-gradient policy for correlated normal beliefs"): the expected increase of
 * the worth of the best arm by the sample, which also changes the beliefs about correlated arms.
 *
 * <p>With bounds, the worth of an arm is its target value weighted by its probability to be
 * feasible, and the worst value otherwise. The expectation is taken over a grid of outcomes of all
 * metrics. With a budget in dollars, an increase counts per expected cost of the sample. Of several
 * samples, each is chosen as if the ones before it had their expected outcome.
 */
final class KnowledgeGradient {

  /** Number of arms considered as the best one. */
  private static final int CONTENDERS = 100;

  /** Number of arms whose posterior variance is computed, to select the contenders. */
  private static final int POOL = 3000;

  /** Number of arms evaluated again for each further sample. */
  private static final int REWEIGHED = 30;

  private static final double OPTIMISM = 1.5;

  private static final double LEAST_PRICE = 1e-7;

  /** Number of measurements looked ahead; one noisy measurement seldom changes the choice. */
  private static final double LOOKAHEAD = 4;

  private final OperatorModel model;
  private final PlanContext context;
  private final Dimension[] dimensions;

  private final List<Integer> arms;
  private final double[][] means;
  private final double[][][] covariances;
  private final boolean perDollar;
  private final NormalGrid grid;
  private final double worst;

  /**
   * Prepares the choice.
   *
   * @param eligible indexes of the arms that may be sampled and chosen
   * @param perDollar whether a sample's value counts per expected cost
   */
  KnowledgeGradient(
      OperatorModel model,
      PlanContext context,
      Dimension[] dimensions,
      int[] eligible,
      boolean perDollar) {
    this.perDollar = perDollar;
    this.model = model;
    this.context = context;
    this.dimensions = dimensions.clone();
    List<Integer> pool = new ArrayList<>();
    IntStream.of(eligible).filter(arm -> model.count(arm) > 0).forEach(pool::add);
    pool.addAll(
        best(
            IntStream.of(eligible).filter(arm -> model.count(arm) == 0).boxed().toList(),
            POOL,
            (d, arm) -> Math.sqrt(model.model(dimensions[d]).priorVariance(arm))));
    double[][][] whitened = new double[dimensions.length][model.size()][];
    for (int arm : pool) {
      for (int d = 0; d < dimensions.length; d++) {
        whitened[d][arm] = model.model(dimensions[d]).whitened(arm);
      }
    }
    this.arms =
        best(
            pool,
            CONTENDERS,
            (d, arm) -> model.model(dimensions[d]).deviation(arm, whitened[d][arm]));
    int n = arms.size();
    means = new double[dimensions.length][n];
    covariances = new double[dimensions.length][n][n];
    for (int d = 0; d < dimensions.length; d++) {
      EffectModel metric = model.model(dimensions[d]);
      for (int i = 0; i < n; i++) {
        int a = arms.get(i);
        means[d][i] = metric.mean(a);
        for (int j = 0; j <= i; j++) {
          int b = arms.get(j);
          covariances[d][i][j] = metric.covariance(a, whitened[d][a], b, whitened[d][b]);
          covariances[d][j][i] = covariances[d][i][j];
        }
      }
    }
    grid = NormalGrid.of(dimensions.length);
    worst =
        IntStream.range(0, n)
            .mapToDouble(i -> context.worth(this.dimensions, at(means, i)))
            .min()
            .orElse(0);
  }

  /** The standard deviation of an arm in a dimension. */
  private interface Deviation {
    double of(int dimension, int arm);
  }

  /** The arms of highest worth under optimistic values. */
  private List<Integer> best(List<Integer> from, int count, Deviation deviation) {
    double[] hope = new double[model.size()];
    double[] optimistic = new double[dimensions.length];
    double[] deviations = new double[dimensions.length];
    for (int arm : from) {
      for (int d = 0; d < dimensions.length; d++) {
        int sign = dimensions[d] == Dimension.QUALITY ? 1 : -1;
        deviations[d] = deviation.of(d, arm);
        optimistic[d] = model.model(dimensions[d]).mean(arm) + sign * OPTIMISM * deviations[d];
      }
      double worth = context.worth(dimensions, optimistic);
      double probability = context.feasible(dimensions, optimistic, deviations);
      hope[arm] = context.hope(worth, probability);
    }
    return from.stream()
        .sorted(
            Comparator.<Integer>comparingDouble(arm -> -hope[arm])
                .thenComparing(Comparator.naturalOrder()))
        .limit(count)
        .toList();
  }

  private static double[] at(double[][] byDimension, int i) {
    double[] values = new double[byDimension.length];
    for (int d = 0; d < values.length; d++) {
      values[d] = byDimension[d][i];
    }
    return values;
  }

  /**
   * Arms to sample, the most valuable first; an arm may appear several times.
   *
   * @param room number of examples left for an arm
   */
  List<Integer> choose(int count, IntUnaryOperator room) {
    List<Integer> chosen = new ArrayList<>();
    List<Integer> candidates = IntStream.range(0, arms.size()).boxed().toList();
    while (chosen.size() < count && !candidates.isEmpty()) {
      double[] gains = new double[arms.size()];
      for (int candidate : candidates) {
        boolean possible =
            Collections.frequency(chosen, arms.get(candidate))
                < room.applyAsInt(arms.get(candidate));
        gains[candidate] = possible ? gain(candidate) / price(candidate) : Double.NEGATIVE_INFINITY;
      }
      candidates =
          candidates.stream()
              .filter(candidate -> gains[candidate] > Double.NEGATIVE_INFINITY)
              .sorted(
                  Comparator.<Integer>comparingDouble(candidate -> -gains[candidate])
                      .thenComparing(Comparator.naturalOrder()))
              .limit(REWEIGHED)
              .toList();
      if (!candidates.isEmpty()) {
        chosen.add(arms.get(candidates.getFirst()));
        condition(candidates.getFirst());
      }
    }
    return chosen;
  }

  /** The expected cost of a sample, or 1. */
  private double price(int candidate) {
    return perDollar ? Math.max(LEAST_PRICE, model.value(Dimension.COST, arms.get(candidate))) : 1;
  }

  /** The expected increase of the worth of the best arm by a sample of {@code sampled}. */
  private double gain(int sampled) {
    int n = arms.size();
    double[][] shifts = new double[dimensions.length][n];
    double[][] deviations = new double[dimensions.length][n];
    for (int d = 0; d < dimensions.length; d++) {
      double[] covariance = covariances[d][sampled];
      double scatter = covariance[sampled] + noise(d) / LOOKAHEAD;
      for (int i = 0; i < n; i++) {
        shifts[d][i] = covariance[i] / Math.sqrt(scatter);
        deviations[d][i] =
            Math.sqrt(Math.max(0, covariances[d][i][i] - shifts[d][i] * shifts[d][i]));
      }
    }
    double informed = 0;
    double[] uninformed = new double[n];
    for (int s = 0; s < grid.size(); s++) {
      double best = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < n; i++) {
        double worth = worth(i, s, shifts, deviations);
        uninformed[i] += grid.weight(s) * worth;
        best = Math.max(best, worth);
      }
      informed += grid.weight(s) * best;
    }
    return informed - IntStream.range(0, n).mapToDouble(i -> uninformed[i]).max().orElse(0);
  }

  private double worth(int i, int draw, double[][] shifts, double[][] deviations) {
    double[] moved = new double[dimensions.length];
    double[] left = new double[dimensions.length];
    for (int d = 0; d < moved.length; d++) {
      moved[d] = means[d][i] + shifts[d][i] * grid.value(draw, d);
      left[d] = deviations[d][i];
    }
    double worth = context.worth(dimensions, moved);
    double feasible = context.feasible(dimensions, moved, left);
    return feasible * worth + (1 - feasible) * Math.min(worth, worst);
  }

  private double noise(int dimension) {
    return model.model(dimensions[dimension]).noise();
  }

  /** Reduces the covariances as a sample of an arm would. */
  private void condition(int sampled) {
    for (int d = 0; d < dimensions.length; d++) {
      double[][] covariance = covariances[d];
      double[] column = covariance[sampled].clone();
      double scatter = column[sampled] + noise(d);
      for (int i = 0; i < column.length; i++) {
        for (int j = 0; j < column.length; j++) {
          covariance[i][j] -= column[i] * column[j] / scatter;
        }
      }
    }
  }
}
