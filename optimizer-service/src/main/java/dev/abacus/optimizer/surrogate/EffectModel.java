package dev.abacus.optimizer.surrogate;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * A Gaussian process over arms: a value is the sum of effects that arms share, as far as they share
 * coordinates of the {@link FeatureSpace}, plus what the example adds, plus noise. Variances are
 * those of highest posterior density given the readings (marginal likelihood and {@link
 * VariancePrior}).
 */
final class EffectModel {

  private static final int STEPS = Integer.getInteger("p.steps", 8);
  private static final int EFFECTS = Effect.values().length;
  private static final int EXAMPLE = EFFECTS;
  private static final int NOISE = EFFECTS + 1;
  private static final int COMPONENTS = EFFECTS + 2;

  private final FeatureSpace space;
  private final Readings readings;
  private final double centre;
  private final double[] variance = new double[COMPONENTS];
  private final Cholesky factor;
  private final double[] weights;

  EffectModel(FeatureSpace space, Readings readings, double centre, VariancePrior prior) {
    this.space = space;
    this.readings = readings;
    this.centre = centre;
    double[][][] products = products();
    double[] guess = new double[COMPONENTS];
    for (Effect effect : Effect.values()) {
      guess[effect.ordinal()] = prior.effects().get(effect);
    }
    guess[EXAMPLE] = prior.example();
    guess[NOISE] = prior.noise();
    System.arraycopy(guess, 0, variance, 0, COMPONENTS);
    if (readings.size() > 2) {
      learn(products, guess);
    }
    factor = new Cholesky(covariance(products));
    weights = weights(factor.solve(residuals(centre)));
  }

  /** The products of all pairs of readings under unit variances, by component. */
  private double[][][] products() {
    int n = readings.size();
    double[][][] products = new double[COMPONENTS][n][];
    double[] byEffect = new double[EFFECTS];
    for (int i = 0; i < n; i++) {
      for (int c = 0; c < COMPONENTS; c++) {
        products[c][i] = new double[i + 1];
      }
      for (int j = 0; j <= i; j++) {
        Arrays.fill(byEffect, 0);
        space.addProducts(readings.arm()[i], readings.arm()[j], byEffect);
        for (int c = 0; c < EFFECTS; c++) {
          products[c][i][j] = byEffect[c];
        }
        products[EXAMPLE][i][j] = readings.example()[i] == readings.example()[j] ? 1 : 0;
      }
      products[NOISE][i][i] = readings.noise()[i];
    }
    return products;
  }

  private double[][] covariance(double[][][] products) {
    int n = readings.size();
    double[][] covariance = new double[n][];
    for (int i = 0; i < n; i++) {
      covariance[i] = new double[i + 1];
      for (int c = 0; c < COMPONENTS; c++) {
        for (int j = 0; j <= i; j++) {
          covariance[i][j] += variance[c] * products[c][i][j];
        }
      }
      covariance[i][i] += 1e-9 * covariance[i][i];
    }
    return covariance;
  }

  private double[] residuals(double from) {
    double[] residuals = readings.value().clone();
    for (int i = 0; i < residuals.length; i++) {
      residuals[i] -= from;
    }
    return residuals;
  }

  private void learn(double[][][] products, double[] guess) {
    int n = readings.size();
    double common = 0;
    double[] own = new double[COMPONENTS];
    double[] residuals = residuals(centre);
    for (int step = 0; step < STEPS; step++) {
      Cholesky cholesky = new Cholesky(covariance(products));
      double[] alpha = cholesky.solve(residuals);
      double[][] inverse = cholesky.inverse();
      double commonGradient = -common / square(VariancePrior.COMMON_DEVIATION);
      double commonCurvature = 1 / square(VariancePrior.COMMON_DEVIATION);
      for (int c = 1; c < COMPONENTS; c++) {
        if (guess[c] == 0) {
          continue;
        }
        double fit = 0;
        double trace = 0;
        for (int i = 0; i < n; i++) {
          double[] row = products[c][i];
          for (int j = 0; j < i; j++) {
            if (row[j] != 0) {
              fit += 2 * alpha[i] * alpha[j] * row[j];
              trace += 2 * inverse[i][j] * row[j];
            }
          }
          fit += alpha[i] * alpha[i] * row[i];
          trace += inverse[i][i] * row[i];
        }
        double gradient = 0.5 * variance[c] * (fit - trace);
        double curvature = 0.5 * variance[c] * trace;
        double deviation =
            c == NOISE
                ? VariancePrior.NOISE_DEVIATION
                : c == EXAMPLE ? VariancePrior.EXAMPLE_DEVIATION : VariancePrior.OWN_DEVIATION;
        double precision = 1 / square(deviation);
        if (c < EFFECTS) {
          commonGradient += gradient;
          commonCurvature += curvature;
        }
        own[c] += clamp((gradient - own[c] * precision) / (curvature + precision));
      }
      common += clamp(commonGradient / commonCurvature);
      for (int c = 1; c < COMPONENTS; c++) {
        variance[c] = guess[c] * Math.exp(own[c] + (c < EFFECTS ? common : 0));
      }
    }
  }

  private static double clamp(double step) {
    return Math.clamp(step, -1, 1);
  }

  private static double square(double x) {
    return x * x;
  }

  /** What the readings, weighted, say of every coordinate. */
  private double[] weights(double[] alpha) {
    double[] sums = new double[space.dimensions()];
    for (int i = 0; i < alpha.length; i++) {
      int arm = readings.arm()[i];
      int[] index = space.index(arm);
      double[] value = space.value(arm);
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

  /** The expected value of an arm. */
  double mean(int arm) {
    return centre + product(arm, weights);
  }

  /** Covariances of an arm with all readings. */
  double[] withReadings(int arm) {
    double[] spread = new double[space.dimensions()];
    int[] index = space.index(arm);
    double[] value = space.value(arm);
    for (int k = 0; k < index.length; k++) {
      spread[index[k]] = value[k] * variance[space.effect(index[k]).ordinal()];
    }
    double[] covariances = new double[readings.size()];
    for (int i = 0; i < covariances.length; i++) {
      covariances[i] = product(readings.arm()[i], spread);
    }
    return covariances;
  }

  private double prior(int a, int b) {
    double[] byEffect = new double[EFFECTS];
    space.addProducts(a, b, byEffect);
    double sum = 0;
    for (int c = 0; c < EFFECTS; c++) {
      sum += variance[c] * byEffect[c];
    }
    return sum;
  }

  /** Half of what is needed for covariances of an arm with others; see {@link #covariance}. */
  double[] whitened(int arm) {
    return factor.solveLower(withReadings(arm));
  }

  /** The covariance of two arms, given the readings. */
  double covariance(int a, double[] whitenedA, int b, double[] whitenedB) {
    double sum = prior(a, b);
    for (int i = 0; i < whitenedA.length; i++) {
      sum -= whitenedA[i] * whitenedB[i];
    }
    return sum;
  }

  /** The variance of an arm, given the readings. */
  double variance(int arm) {
    double[] whitened = whitened(arm);
    return Math.max(1e-12, covariance(arm, whitened, arm, whitened));
  }

  double noise() {
    return variance[NOISE];
  }

  double example() {
    return variance[EXAMPLE];
  }

  double[] variances() {
    return variance.clone();
  }

  /** The values of all arms, drawn from what is believed of them together (Matheron's rule). */
  double[] draw(RandomGenerator random) {
    double[] coordinates = new double[space.dimensions()];
    for (int f = 0; f < coordinates.length; f++) {
      coordinates[f] =
          Math.sqrt(variance[space.effect(f).ordinal()]) * random.nextGaussian();
    }
    double[] residuals = residuals(centre);
    double[] examples = new double[1 + Arrays.stream(readings.example()).max().orElse(0)];
    for (int e = 0; e < examples.length; e++) {
      examples[e] = Math.sqrt(variance[EXAMPLE]) * random.nextGaussian();
    }
    for (int i = 0; i < residuals.length; i++) {
      residuals[i] -=
          product(readings.arm()[i], coordinates)
              + examples[readings.example()[i]]
              + Math.sqrt(variance[NOISE] * readings.noise()[i]) * random.nextGaussian();
    }
    double[] correction = weights(factor.solve(residuals));
    for (int f = 0; f < coordinates.length; f++) {
      coordinates[f] += correction[f];
    }
    double[] values = new double[space.size()];
    for (int arm = 0; arm < values.length; arm++) {
      values[arm] = centre + product(arm, coordinates);
    }
    return values;
  }
}
