package dev.abacus.optimizer.sampling.surrogate;

import java.util.Arrays;
import java.util.Objects;

/**
 * The variances of the components of a measured value: of each {@link Effect}, the prior belief,
 * the example, the model on an example, the call, the judge, and the noise. They maximize the
 * posterior density under {@link VariancePrior}, by a few steps of gradient ascent. The gradient of
 * the marginal likelihood for the logarithm of a component's variance is ½ (αᵀKα − tr A⁻¹K); each
 * step is divided by a bound of the curvature.
 */
@SuppressWarnings("EnumOrdinal") // rows and columns of matrices are in order of the effects
final class EffectVariances {

  private static final int STEPS = 8;

  /** Number of measurements from which half of the steps suffice. */
  private static final int FEW_STEPS_FROM = 250;

  private static final double LONGEST_STEP = 1;
  private static final double JITTER = 1e-9;

  static final int EFFECTS = Effect.values().length;
  static final int BELIEF = EFFECTS;
  static final int EXAMPLE = EFFECTS + 1;
  static final int MODEL_AND_EXAMPLE = EFFECTS + 2;
  static final int CALL = EFFECTS + 3;
  static final int JUDGE = EFFECTS + 4;
  static final int NOISE = EFFECTS + 5;
  private static final int COMPONENTS = EFFECTS + 6;

  private final VariancePrior prior;
  private final double[] variance = new double[COMPONENTS];
  private final Cholesky factor;

  /** The medians of the prior. */
  static EffectVariances assumed(
      FeatureSpace space, Measurements measurements, MeanFunction centre, VariancePrior prior) {
    return new EffectVariances(space, measurements, centre, prior, false);
  }

  /** Fitted to the measurements. */
  static EffectVariances fitted(
      FeatureSpace space, Measurements measurements, MeanFunction centre, VariancePrior prior) {
    return new EffectVariances(
        space, measurements, centre, prior, measurements.values().size() > 2);
  }

  private EffectVariances(
      FeatureSpace space,
      Measurements measurements,
      MeanFunction centre,
      VariancePrior prior,
      boolean fit) {
    this.prior = prior;
    for (Effect effect : Effect.values()) {
      variance[effect.ordinal()] = Objects.requireNonNull(prior.effects().get(effect));
    }
    variance[BELIEF] = centre.slope() * centre.slope();
    variance[EXAMPLE] = prior.example();
    variance[MODEL_AND_EXAMPLE] = prior.modelAndExample();
    variance[CALL] =
        measurements.hasSharedCalls() ? prior.noise() * VariancePrior.CALL_IN_NOISE : 0;
    variance[JUDGE] =
        measurements.areOnTwoScales() ? prior.noise() * VariancePrior.JUDGE_IN_NOISE : 0;
    variance[NOISE] = prior.noise();
    double[][][] products = products(space, measurements, centre);
    if (fit) {
      ascend(products, measurements.residuals(centre));
    }
    factor = new Cholesky(covariance(products));
  }

  /** The variance of a component. */
  double of(int component) {
    return variance[component];
  }

  /** The variance of an effect. */
  double of(Effect effect) {
    return variance[effect.ordinal()];
  }

  /** The factor of the covariances of the measurements. */
  Cholesky factor() {
    return factor;
  }

  /** The logarithm of the marginal likelihood of the measurements, up to a constant. */
  double logLikelihood(double[] residuals) {
    double squares = 0;
    for (double one : factor.solveLower(residuals)) {
      squares += one * one;
    }
    return -0.5 * (squares + factor.logDeterminant());
  }

  /** Scalar products of all pairs of measurements under unit variances, by component. */
  private static double[][][] products(
      FeatureSpace space, Measurements measurements, MeanFunction centre) {
    int n = measurements.values().size();
    double[][][] products = new double[COMPONENTS][n][];
    double[] byEffect = new double[EFFECTS];
    for (int i = 0; i < n; i++) {
      for (int c = 0; c < COMPONENTS; c++) {
        products[c][i] = new double[i + 1];
      }
      Measurements.Value one = measurements.values().get(i);
      for (int j = 0; j <= i; j++) {
        Measurements.Value other = measurements.values().get(j);
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
      products[NOISE][i][i] = one.noiseVariance();
    }
    return products;
  }

  private double[][] covariance(double[][][] products) {
    int n = products[NOISE].length;
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

  private void ascend(double[][][] products, double[] residuals) {
    double[] guess = variance.clone();
    double common = 0;
    double[] own = new double[COMPONENTS];
    int steps = residuals.length > FEW_STEPS_FROM ? STEPS / 2 : STEPS;
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
        double precision = precision(deviation(c));
        own[c] += bounded((gradient - own[c] * precision) / (curvature + precision));
      }
      common += bounded(commonGradient / commonCurvature);
      for (int c = Effect.COMMON.ordinal() + 1; c < COMPONENTS; c++) {
        variance[c] = guess[c] * Math.exp(own[c] + (c < EFFECTS ? common : 0));
      }
    }
  }

  private double deviation(int component) {
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
}
