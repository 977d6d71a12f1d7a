package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.estimate.RandomEffect;
import dev.abacus.optimizer.estimate.RandomEffect.Kind;
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
        () -> loadings(arm, factor.solveUpper(whitened), operator, names, shared));
  }

  private Map<RandomEffect, Double> loadings(
      int arm, double[] of, String operator, List<String> names, double shared) {
    Map<RandomEffect, Double> loadings = new LinkedHashMap<>();
    addCoordinates(arm, 1, operator, loadings);
    for (int i = 0; i < of.length; i++) {
      Measurements.Value one = measurements.values().get(i);
      int read = one.arm();
      addCoordinates(read, -of[i], operator, loadings);
      for (int example : one.examples()) {
        String name = names.get(example);
        double each = -of[i] * one.rest() / one.examples().size();
        add(
            loadings,
            EffectVariances.EXAMPLE,
            each * Math.sqrt(shared),
            new RandomEffect(Kind.EXAMPLE, RandomEffect.ALL, name));
        add(
            loadings,
            EffectVariances.EXAMPLE,
            each * Math.sqrt(1 - shared),
            new RandomEffect(Kind.EXAMPLE, operator, name));
        for (int k = 0; k < space.index()[read].length; k++) {
          int coordinate = space.index()[read][k];
          if (space.effects().get(coordinate) == Effect.FINAL_MODEL) {
            add(
                loadings,
                EffectVariances.MODEL_AND_EXAMPLE,
                each * space.value()[read][k],
                new RandomEffect(
                    Kind.MODEL_AND_EXAMPLE,
                    operator,
                    space.names().get(coordinate) + " on " + name));
          }
        }
      }
      if (one.judged()) {
        add(
            loadings,
            EffectVariances.JUDGE,
            -of[i],
            new RandomEffect(Kind.JUDGE, operator, "offset"));
      }
      String measurement = String.valueOf(i);
      if (one.isShared()) {
        add(
            loadings,
            EffectVariances.CALL,
            -of[i],
            new RandomEffect(Kind.CALL, operator, measurement));
      }
      add(
          loadings,
          EffectVariances.NOISE,
          -of[i] * Math.sqrt(one.noiseVariance()),
          new RandomEffect(Kind.NOISE, operator, measurement));
    }
    return loadings;
  }

  private void addCoordinates(
      int arm, double times, String operator, Map<RandomEffect, Double> loadings) {
    int[] index = space.index()[arm];
    for (int k = 0; k < index.length; k++) {
      add(
          loadings,
          space.effects().get(index[k]).ordinal(),
          times * space.value()[arm][k],
          new RandomEffect(Kind.IMPLEMENTATION, operator, space.names().get(index[k])));
    }
    add(
        loadings,
        EffectVariances.BELIEF,
        times * centre.belief(arm),
        new RandomEffect(Kind.IMPLEMENTATION, operator, "prior belief"));
  }

  private void add(
      Map<RandomEffect, Double> loadings, int component, double value, RandomEffect effect) {
    double loading = Math.sqrt(variances.of(component)) * value;
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
    return variances.of(EffectVariances.NOISE);
  }
}
