package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.estimate.RandomEffect;
import dev.abacus.optimizer.estimate.RandomEffect.Kind;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
 */
@SuppressWarnings("EnumOrdinal") // rows and columns of matrices are in order of the effects
final class EffectModel {

  private final FeatureSpace space;
  private final Measurements measurements;
  private final MeanFunction centre;
  private final EffectVariances variances;
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
    variances = EffectVariances.fitted(space, measurements, centre, prior);
    factor = variances.factor();
    double[] residuals = measurements.residuals(centre);
    double[] alpha = factor.solve(residuals);
    logLikelihood = variances.logLikelihood(residuals);
    weights = weights(alpha);
    double belief = 0;
    for (int i = 0; i < alpha.length; i++) {
      belief += alpha[i] * centre.belief(measurements.values().get(i).arm());
    }
    beliefWeight = belief * variances.of(EffectVariances.BELIEF);
  }

  /** The weight of every coordinate in the posterior mean. */
  private double[] weights(double[] alpha) {
    double[] sums = new double[space.effects().size()];
    for (int i = 0; i < alpha.length; i++) {
      int[] index = space.index()[measurements.values().get(i).arm()];
      double[] value = space.value()[measurements.values().get(i).arm()];
      for (int k = 0; k < index.length; k++) {
        sums[index[k]] += value[k] * alpha[i];
      }
    }
    for (int f = 0; f < sums.length; f++) {
      sums[f] *= variances.of(space.effects().get(f));
    }
    return sums;
  }

  private double product(int arm, double[] coordinates) {
    int[] index = space.index()[arm];
    double[] value = space.value()[arm];
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

  /** The prior covariance of two arms. */
  double prior(int a, int b) {
    double[] byEffect = new double[EffectVariances.EFFECTS];
    space.addProducts(a, b, byEffect);
    double sum = variances.of(EffectVariances.BELIEF) * centre.belief(a) * centre.belief(b);
    for (int c = 0; c < EffectVariances.EFFECTS; c++) {
      sum += variances.of(c) * byEffect[c];
    }
    return sum;
  }

  /** L⁻¹k for the covariances k of an arm with the measurements; input of {@link #covariance}. */
  double[] whitened(int arm) {
    double[] spread = new double[space.effects().size()];
    int[] index = space.index()[arm];
    double[] value = space.value()[arm];
    for (int k = 0; k < index.length; k++) {
      spread[index[k]] = value[k] * variances.of(space.effects().get(index[k]));
    }
    double belief = variances.of(EffectVariances.BELIEF) * centre.belief(arm);
    double[] covariances = new double[measurements.values().size()];
    for (int i = 0; i < covariances.length; i++) {
      int read = measurements.values().get(i).arm();
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
    Map<String, DoubleSummaryStatistics> means = new HashMap<>();
    for (Measurements.Value one : measurements.values()) {
      if (!one.isShared()) {
        String name = names.get(one.examples().getFirst());
        means
            .computeIfAbsent(name, _ -> new DoubleSummaryStatistics())
            .accept(one.value() - mean(one.arm()));
      }
    }
    return new SharedHardness.Residuals(
        Math.sqrt(variances.of(EffectVariances.EXAMPLE)),
        variances.of(EffectVariances.MODEL_AND_EXAMPLE) + variances.of(EffectVariances.NOISE),
        means);
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
        variances.of(EffectVariances.EXAMPLE) > 0
            ? Set.of(operator, RandomEffect.ALL)
            : Set.of(operator),
        () -> new Effects(operator).of(arm, factor.solveUpper(whitened), names, shared));
  }

  /** The effects that an error of an operator consists of. */
  private final class Effects {
    private final String operator;
    private final Map<RandomEffect, Double> loadings = new LinkedHashMap<>();

    Effects(String operator) {
      this.operator = operator;
    }

    Map<RandomEffect, Double> of(int arm, double[] of, List<String> names, double shared) {
      add(arm, 1);
      for (int i = 0; i < of.length; i++) {
        Measurements.Value one = measurements.values().get(i);
        add(one.arm(), -of[i]);
        for (int example : one.examples()) {
          add(one.arm(), names.get(example), -of[i] * one.rest() / one.examples().size(), shared);
        }
        if (one.judged()) {
          add(EffectVariances.JUDGE, -of[i], Kind.JUDGE, operator, "offset");
        }
        String measurement = String.valueOf(i);
        if (one.isShared()) {
          add(EffectVariances.CALL, -of[i], Kind.CALL, operator, measurement);
        }
        double noise = -of[i] * Math.sqrt(one.noiseVariance());
        add(EffectVariances.NOISE, noise, Kind.NOISE, operator, measurement);
      }
      return loadings;
    }

    /** The effects of an implementation. */
    private void add(int arm, double times) {
      int[] index = space.index()[arm];
      for (int k = 0; k < index.length; k++) {
        int component = space.effects().get(index[k]).ordinal();
        double value = times * space.value()[arm][k];
        add(component, value, Kind.IMPLEMENTATION, operator, space.names().get(index[k]));
      }
      double belief = times * centre.belief(arm);
      add(EffectVariances.BELIEF, belief, Kind.IMPLEMENTATION, operator, "prior belief");
    }

    /** The effects of an example on an implementation. */
    private void add(int arm, String example, double times, double shared) {
      double common = times * Math.sqrt(shared);
      add(EffectVariances.EXAMPLE, common, Kind.EXAMPLE, RandomEffect.ALL, example);
      double own = times * Math.sqrt(1 - shared);
      add(EffectVariances.EXAMPLE, own, Kind.EXAMPLE, operator, example);
      for (int k = 0; k < space.index()[arm].length; k++) {
        int coordinate = space.index()[arm][k];
        if (space.effects().get(coordinate) == Effect.FINAL_MODEL) {
          double value = times * space.value()[arm][k];
          String both = space.names().get(coordinate) + " on " + example;
          add(EffectVariances.MODEL_AND_EXAMPLE, value, Kind.MODEL_AND_EXAMPLE, operator, both);
        }
      }
    }

    private void add(int component, double value, Kind kind, String scope, String name) {
      double loading = Math.sqrt(variances.of(component)) * value;
      if (loading != 0) {
        loadings.merge(new RandomEffect(kind, scope, name), loading, Double::sum);
      }
    }
  }

  /** The logarithm of the marginal likelihood of the measurements, up to a constant. */
  double logLikelihood() {
    return logLikelihood;
  }

  /** The variance of the noise of a measurement. */
  double noise() {
    return variances.of(EffectVariances.NOISE);
  }
}
