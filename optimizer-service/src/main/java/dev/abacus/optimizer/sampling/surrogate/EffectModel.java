package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.estimate.RandomEffect;
import dev.abacus.optimizer.estimate.RandomEffect.Kind;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A Gaussian process over arms (Rasmussen and Williams, "Gaussian Processes for Machine Learning",
 * chapter 2). A measured value is the sum of the prior mean, effects that arms share as far as they
 * share coordinates of the {@link FeatureSpace}, an effect of the example common to all arms, one
 * common to the arms that answer with the same model, which share its mistakes, an effect of the
 * call if it is one for several documents, and noise. The values of such a call count as their
 * mean, so 16 scores of one call are less than 16 scores as far as calls differ more than their
 * documents explain. If some scores are by labels and some by the judge, those of the judge have an
 * offset in common, and estimates are on the scale of labels. Scores that were moved by what the
 * judge says of live outputs have a part of these effects and noise only.
 *
 * <p>The variances maximize the posterior density under {@link VariancePrior}, by a few steps of
 * gradient ascent. The gradient of the marginal likelihood for the logarithm of a component's
 * variance is ½ (αᵀKα − tr A⁻¹K); each step is divided by a bound of the curvature.
 */
@SuppressWarnings("EnumOrdinal") // rows and columns of matrices are in order of the effects
final class EffectModel {

  private static final int STEPS = 8;

  /** Number of measurements from which half of the steps suffice. */
  private static final int FEW_STEPS_FROM = 250;

  private static final double LONGEST_STEP = 1;
  private static final double JITTER = 1e-9;

  private static final int EFFECTS = Effect.values().length;
  private static final int BELIEF = EFFECTS;
  private static final int EXAMPLE = EFFECTS + 1;
  private static final int MODEL_AND_EXAMPLE = EFFECTS + 2;
  private static final int CALL = EFFECTS + 3;
  private static final int JUDGE = EFFECTS + 4;
  private static final int NOISE = EFFECTS + 5;
  private static final int COMPONENTS = EFFECTS + 6;

  private final FeatureSpace space;
  private final Measurements measurements;
  private final MeanFunction centre;
  private final double[] variance = new double[COMPONENTS];
  private final Cholesky factor;
  private final double[] weights;
  private final double beliefWeight;
  private final double logLikelihood;

  /** Fits the variances to the measurements. */
  EffectModel(
      FeatureSpace space, Measurements measurements, MeanFunction centre, VariancePrior prior) {
    this.space = space;
    this.measurements = measurements;
    this.centre = centre;
    for (Effect effect : Effect.values()) {
      variance[effect.ordinal()] = Objects.requireNonNull(prior.effects().get(effect));
    }
    variance[BELIEF] = centre.slopeVariance();
    variance[EXAMPLE] = prior.example();
    variance[MODEL_AND_EXAMPLE] = prior.modelAndExample();
    variance[CALL] =
        measurements.hasSharedCalls() ? prior.noise() * VariancePrior.CALL_IN_NOISE : 0;
    variance[JUDGE] =
        measurements.areOnTwoScales() ? prior.noise() * VariancePrior.JUDGE_IN_NOISE : 0;
    variance[NOISE] = prior.noise();
    double[][][] products = products();
    if (measurements.size() > 2) {
      fitVariances(products, prior);
    }
    factor = new Cholesky(covariance(products));
    double[] residuals = residuals();
    double[] alpha = factor.solve(residuals);
    double squares = 0;
    for (int i = 0; i < alpha.length; i++) {
      squares += residuals[i] * alpha[i];
    }
    logLikelihood = -0.5 * (squares + factor.logDeterminant());
    weights = weights(alpha);
    double belief = 0;
    for (int i = 0; i < alpha.length; i++) {
      belief += alpha[i] * centre.belief(measurements.get(i).arm());
    }
    beliefWeight = belief * variance[BELIEF];
  }

  /** Scalar products of all pairs of measurements under unit variances, by component. */
  private double[][][] products() {
    int n = measurements.size();
    double[][][] products = new double[COMPONENTS][n][];
    double[] byEffect = new double[EFFECTS];
    for (int i = 0; i < n; i++) {
      for (int c = 0; c < COMPONENTS; c++) {
        products[c][i] = new double[i + 1];
      }
      Measurements.Value one = measurements.get(i);
      for (int j = 0; j <= i; j++) {
        Measurements.Value other = measurements.get(j);
        Arrays.fill(byEffect, 0);
        space.addProducts(one.arm(), other.arm(), byEffect);
        for (int c = 0; c < EFFECTS; c++) {
          products[c][i][j] = byEffect[c];
        }
        products[BELIEF][i][j] = centre.belief(one.arm()) * centre.belief(other.arm());
        double overlap = one.overlap(other) * one.rest() * other.rest();
        products[EXAMPLE][i][j] = overlap;
        products[JUDGE][i][j] = one.judged() && other.judged() ? 1 : 0;
        products[MODEL_AND_EXAMPLE][i][j] = overlap * byEffect[Effect.FINAL_MODEL.ordinal()];
      }
      products[CALL][i][i] = one.isShared() ? 1 : 0;
      products[NOISE][i][i] = one.rest() * one.rest() / one.examples().size();
    }
    return products;
  }

  private double[][] covariance(double[][][] products) {
    int n = measurements.size();
    double[][] covariance = new double[n][];
    for (int i = 0; i < n; i++) {
      double[] row = new double[i + 1];
      for (int c = 0; c < COMPONENTS; c++) {
        double[] product = products[c][i];
        for (int j = variance[c] == 0 || isDiagonal(c) ? i : 0; j <= i; j++) {
          row[j] += variance[c] * product[j];
        }
      }
      row[i] *= 1 + JITTER;
      covariance[i] = row;
    }
    return covariance;
  }

  /** Whether only covariances of measurements with themselves are not 0. */
  private static boolean isDiagonal(int component) {
    return component == CALL || component == NOISE;
  }

  private double[] residuals() {
    return measurements.values().stream()
        .mapToDouble(one -> one.value() - centre.of(one.arm()))
        .toArray();
  }

  private void fitVariances(double[][][] products, VariancePrior prior) {
    double[] guess = variance.clone();
    double[] residuals = residuals();
    double common = 0;
    double[] own = new double[COMPONENTS];
    int steps = measurements.size() > FEW_STEPS_FROM ? STEPS / 2 : STEPS;
    for (int step = 0; step < steps; step++) {
      Cholesky cholesky = new Cholesky(covariance(products));
      double[] alpha = cholesky.solve(residuals);
      double[][] inverse = cholesky.inverse();
      double commonPrecision = precision(VariancePrior.COMMON_DEVIATION);
      double commonGradient = -common * commonPrecision;
      double commonCurvature = commonPrecision;
      for (int c = Effect.COMMON.ordinal() + 1; c < COMPONENTS; c++) {
        if (variance[c] == 0) {
          continue;
        }
        double trace = variance[c] * trace(inverse, products[c]);
        double gradient = 0.5 * (variance[c] * form(alpha, products[c]) - trace);
        double curvature = 0.5 * trace;
        if (c < EFFECTS) {
          commonGradient += gradient;
          commonCurvature += curvature;
        }
        double precision = precision(deviation(c, prior));
        own[c] += bounded((gradient - own[c] * precision) / (curvature + precision));
      }
      common += bounded(commonGradient / commonCurvature);
      for (int c = Effect.COMMON.ordinal() + 1; c < COMPONENTS; c++) {
        variance[c] = guess[c] * Math.exp(own[c] + (c < EFFECTS ? common : 0));
      }
    }
  }

  private static double deviation(int component, VariancePrior prior) {
    if (component == NOISE) {
      return prior.noiseDeviation();
    }
    return component > BELIEF ? VariancePrior.EXAMPLE_DEVIATION : VariancePrior.OWN_DEVIATION;
  }

  private static double precision(double deviation) {
    return 1 / (deviation * deviation);
  }

  private static double bounded(double step) {
    return Math.clamp(step, -LONGEST_STEP, LONGEST_STEP);
  }

  /** αᵀKα, of a matrix given by its lower triangle. */
  private static double form(double[] alpha, double[][] matrix) {
    double form = 0;
    for (int i = 0; i < alpha.length; i++) {
      double sum = 0;
      for (int j = 0; j < i; j++) {
        sum += alpha[j] * matrix[i][j];
      }
      form += alpha[i] * (2 * sum + alpha[i] * matrix[i][i]);
    }
    return form;
  }

  /** tr AK, both symmetric, K given by its lower triangle. */
  private static double trace(double[][] a, double[][] matrix) {
    double trace = 0;
    for (int i = 0; i < a.length; i++) {
      double sum = 0;
      for (int j = 0; j < i; j++) {
        sum += a[i][j] * matrix[i][j];
      }
      trace += 2 * sum + a[i][i] * matrix[i][i];
    }
    return trace;
  }

  /** The weight of every coordinate in the posterior mean. */
  private double[] weights(double[] alpha) {
    double[] sums = new double[space.dimensions()];
    for (int i = 0; i < alpha.length; i++) {
      int[] index = space.index(measurements.get(i).arm());
      double[] value = space.value(measurements.get(i).arm());
      for (int k = 0; k < index.length; k++) {
        sums[index[k]] += value[k] * alpha[i];
      }
    }
    for (int f = 0; f < sums.length; f++) {
      sums[f] *= variance[space.effect(f).ordinal()];
    }
    return sums;
  }

  private double product(int arm, double[] coordinates) {
    int[] index = space.index(arm);
    double[] value = space.value(arm);
    double sum = 0;
    for (int k = 0; k < index.length; k++) {
      sum += value[k] * coordinates[index[k]];
    }
    return sum;
  }

  /** The posterior mean of an arm. */
  double mean(int arm) {
    return centre.of(arm) + product(arm, weights) + centre.belief(arm) * beliefWeight;
  }

  /** The prior variance of an arm. */
  double priorVariance(int arm) {
    return prior(arm, arm);
  }

  private double prior(int a, int b) {
    double[] byEffect = new double[EFFECTS];
    space.addProducts(a, b, byEffect);
    double sum = variance[BELIEF] * centre.belief(a) * centre.belief(b);
    for (int c = 0; c < EFFECTS; c++) {
      sum += variance[c] * byEffect[c];
    }
    return sum;
  }

  /** L⁻¹k for the covariances k of an arm with the measurements; input of {@link #covariance}. */
  double[] whitened(int arm) {
    double[] spread = new double[space.dimensions()];
    int[] index = space.index(arm);
    double[] value = space.value(arm);
    for (int k = 0; k < index.length; k++) {
      spread[index[k]] = value[k] * variance[space.effect(index[k]).ordinal()];
    }
    double belief = variance[BELIEF] * centre.belief(arm);
    double[] covariances = new double[measurements.size()];
    for (int i = 0; i < covariances.length; i++) {
      int read = measurements.get(i).arm();
      covariances[i] = product(read, spread) + belief * centre.belief(read);
    }
    return factor.solveLower(covariances);
  }

  /** The posterior covariance of two arms. */
  double covariance(int a, double[] whitenedA, int b, double[] whitenedB) {
    double sum = prior(a, b);
    for (int i = 0; i < whitenedA.length; i++) {
      sum -= whitenedA[i] * whitenedB[i];
    }
    return sum;
  }

  /** The posterior standard deviation of an arm. */
  double deviation(int arm, double[] whitened) {
    return Math.sqrt(Math.max(0, covariance(arm, whitened, arm, whitened)));
  }

  /**
   * By how much measurements differ from the means of their arms, by example, but for those of
   * calls for several documents.
   *
   * @param names of the examples
   */
  SharedHardness.Residuals residuals(List<String> names) {
    Map<String, SharedHardness.Mean> means = new HashMap<>();
    for (Measurements.Value one : measurements.values()) {
      if (!one.isShared()) {
        String name = names.get(one.examples().getFirst());
        means.put(
            name,
            means.getOrDefault(name, SharedHardness.Mean.NONE).plus(one.value() - mean(one.arm())));
      }
    }
    return new SharedHardness.Residuals(
        Math.sqrt(variance[EXAMPLE]), variance[MODEL_AND_EXAMPLE] + variance[NOISE], means);
  }

  /**
   * The error of the posterior mean of an arm. That mean is linear in the measurements, with
   * weights c = A⁻¹k, so the error is the effects of the arm minus those of the measurements times
   * c.
   *
   * @param operator id of the operator, the scope of the effects
   * @param names of the examples
   * @param shared share of the variance of an example's effect that all operators have in common
   */
  Loadings error(int arm, String operator, List<String> names, double shared) {
    double[] whitened = whitened(arm);
    return Loadings.of(
        deviation(arm, whitened),
        variance[EXAMPLE] > 0 ? Set.of(operator, RandomEffect.ALL) : Set.of(operator),
        () -> loadings(arm, factor.solveUpper(whitened), operator, names, shared));
  }

  private Map<RandomEffect, Double> loadings(
      int arm, double[] of, String operator, List<String> names, double shared) {
    Map<RandomEffect, Double> loadings = new LinkedHashMap<>();
    addCoordinates(arm, 1, operator, loadings);
    for (int i = 0; i < of.length; i++) {
      Measurements.Value one = measurements.get(i);
      int read = one.arm();
      addCoordinates(read, -of[i], operator, loadings);
      for (int example : one.examples()) {
        String name = names.get(example);
        double each = -of[i] * one.rest() / one.examples().size();
        add(
            loadings,
            EXAMPLE,
            each * Math.sqrt(shared),
            new RandomEffect(Kind.EXAMPLE, RandomEffect.ALL, name));
        add(
            loadings,
            EXAMPLE,
            each * Math.sqrt(1 - shared),
            new RandomEffect(Kind.EXAMPLE, operator, name));
        for (int k = 0; k < space.index(read).length; k++) {
          int coordinate = space.index(read)[k];
          if (space.effect(coordinate) == Effect.FINAL_MODEL) {
            add(
                loadings,
                MODEL_AND_EXAMPLE,
                each * space.value(read)[k],
                new RandomEffect(
                    Kind.MODEL_AND_EXAMPLE, operator, space.name(coordinate) + " on " + name));
          }
        }
      }
      if (one.judged()) {
        add(loadings, JUDGE, -of[i], new RandomEffect(Kind.JUDGE, operator, "offset"));
      }
      String measurement = String.valueOf(i);
      if (one.isShared()) {
        add(loadings, CALL, -of[i], new RandomEffect(Kind.CALL, operator, measurement));
      }
      add(
          loadings,
          NOISE,
          -of[i] * one.rest() / Math.sqrt(one.examples().size()),
          new RandomEffect(Kind.NOISE, operator, measurement));
    }
    return loadings;
  }

  private void addCoordinates(
      int arm, double times, String operator, Map<RandomEffect, Double> loadings) {
    int[] index = space.index(arm);
    for (int k = 0; k < index.length; k++) {
      add(
          loadings,
          space.effect(index[k]).ordinal(),
          times * space.value(arm)[k],
          new RandomEffect(Kind.IMPLEMENTATION, operator, space.name(index[k])));
    }
    add(
        loadings,
        BELIEF,
        times * centre.belief(arm),
        new RandomEffect(Kind.IMPLEMENTATION, operator, "prior belief"));
  }

  private void add(
      Map<RandomEffect, Double> loadings, int component, double value, RandomEffect effect) {
    double loading = Math.sqrt(variance[component]) * value;
    if (loading != 0) {
      loadings.merge(effect, loading, Double::sum);
    }
  }

  /** The logarithm of the marginal likelihood of the measurements, up to a constant. */
  double logLikelihood() {
    return logLikelihood;
  }

  /** The variance of the noise of a measurement. */
  double noise() {
    return variance[NOISE];
  }
}
