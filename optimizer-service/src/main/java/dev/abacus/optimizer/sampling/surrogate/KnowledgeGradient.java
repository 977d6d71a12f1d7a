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
 * 2009, "The knowledge-gradient policy for correlated normal beliefs"): by how much the worth of
 * the best arm is expected to rise once the sample is in, as a sample of one arm moves what is
 * believed of all that it has something in common with.
 *
 * <p>With bounds, an arm is worth its target value as far as it is likely to be feasible, and the
 * worst value as far as not; the expectation is taken over a grid of what all metrics may turn out
 * to be. Several samples are chosen one after the other, each as if those before it had been drawn
 * and had come out as expected.
 */
final class KnowledgeGradient {

  /** Arms that may turn out best; of the others it is too improbable. */
  private static final int CONTENDERS = 100;

  /** Arms that are looked at more closely, to find those. */
  private static final int POOL = 3000;

  /** Arms whose samples are weighed again after the first was chosen. */
  private static final int REWEIGHED = 30;

  private static final double OPTIMISM = 1.5;

  /** How many readings ahead is looked: one reading of a noisy metric seldom changes a choice. */
  private static final double LOOKAHEAD = 4;

  private final OperatorModel model;
  private final PlanContext context;
  private final Dimension[] dimensions;

  private final List<Integer> arms;
  private final double[][] means;
  private final double[][][] covariances;
  private final Grid grid;
  private final double worst;

  /**
   * Weighs the arms of an operator.
   *
   * @param eligible those that may be sampled and chosen
   */
  KnowledgeGradient(
      OperatorModel model, PlanContext context, Dimension[] dimensions, int[] eligible) {
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
    grid = Grid.of(dimensions.length);
    worst =
        IntStream.range(0, n)
            .mapToDouble(i -> context.worth(this.dimensions, at(means, i)))
            .min()
            .orElse(0);
  }

  /** The standard deviation of an arm's value in a dimension. */
  private interface Deviation {
    double of(int dimension, int arm);
  }

  /** The arms of highest worth if all turns out well. */
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
      hope[arm] = worth >= 0 ? worth * probability : worth / Math.max(1e-3, probability);
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
   * Arms to sample, the most wanted first, an arm as often as it is wanted.
   *
   * @param room how many more samples of an arm there can be
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
        gains[candidate] = possible ? gain(candidate) : Double.NEGATIVE_INFINITY;
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
        foresee(candidates.getFirst());
      }
    }
    return chosen;
  }

  /** By how much the worth of the best arm is expected to rise with samples of one. */
  private double gain(int sampled) {
    int n = arms.size();
    double[][] shifts = new double[dimensions.length][n];
    double[][] deviations = new double[dimensions.length][n];
    for (int d = 0; d < dimensions.length; d++) {
      double[] covariance = covariances[d][sampled];
      double scatter = covariance[sampled] + noise(d, sampled) / LOOKAHEAD;
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

  private double noise(int dimension, int i) {
    return model.noise(dimensions[dimension], means[dimension][i]);
  }

  /** Takes a sample for drawn: less is left to be learnt about all that it tells something of. */
  private void foresee(int sampled) {
    for (int d = 0; d < dimensions.length; d++) {
      double[][] covariance = covariances[d];
      double[] column = covariance[sampled].clone();
      double scatter = column[sampled] + noise(d, sampled);
      for (int i = 0; i < column.length; i++) {
        for (int j = 0; j < column.length; j++) {
          covariance[i][j] -= column[i] * column[j] / scatter;
        }
      }
    }
  }
}
