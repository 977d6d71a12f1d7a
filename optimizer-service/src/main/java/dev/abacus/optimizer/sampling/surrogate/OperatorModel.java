package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.observation.Observation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * The models of one operator's arms, one per dimension: quality as it is, cost and latency by their
 * natural logarithms, where effects of models and techniques are nearly additive.
 */
final class OperatorModel {

  /** Smallest cost or latency before taking the logarithm. */
  private static final double LEAST = 1e-9;

  /** Distance from 0 and 1 to which a quality is clamped for the variance of its noise. */
  private static final double LEAST_QUALITY = 0.03;

  /** Assumed share of noise in the variance of all measurements. */
  private static final double NOISE_IN_VARIANCE = 0.85;

  private static final double LEAST_NOISE = 0.01;

  private final FeatureSpace space;
  private final int[] counts;
  private final Map<Dimension, EffectModel> models = new EnumMap<>(Dimension.class);

  /**
   * Fits the models.
   *
   * @param dimensions dimensions to model
   */
  OperatorModel(
      FeatureSpace space, OperatorSamples samples, Set<Dimension> dimensions, Priors priors) {
    this.space = space;
    this.counts = new int[space.size()];
    Observed observed = new Observed(samples, counts);
    for (Dimension dimension : dimensions) {
      models.put(dimension, likelier(observed, dimension, beliefs(samples, dimension, priors)));
    }
  }

  /**
   * The model with prior beliefs, or the one without them if the measurements are likelier under
   * that. So misleading beliefs are ignored as soon as the measurements contradict them.
   */
  private EffectModel likelier(Observed observed, Dimension dimension, double[] beliefs) {
    EffectModel uninformed = fitted(observed, dimension, new double[0]);
    if (beliefs.length == 0) {
      return uninformed;
    }
    EffectModel informed = fitted(observed, dimension, beliefs);
    return informed.logLikelihood() >= uninformed.logLikelihood() ? informed : uninformed;
  }

  private EffectModel fitted(Observed observed, Dimension dimension, double[] beliefs) {
    return switch (dimension) {
      case QUALITY -> quality(observed, beliefs);
      case COST -> logarithm(observed, Observation::cost, beliefs);
      case LATENCY -> logarithm(observed, Observation::latency, beliefs);
    };
  }

  /** Observations with the indexes of their arms and examples. */
  private static final class Observed {

    final List<Observation> observations = new ArrayList<>();
    final List<Integer> arms = new ArrayList<>();
    final List<Integer> examples = new ArrayList<>();

    Observed(OperatorSamples samples, int[] counts) {
      Map<String, Integer> numbers = new HashMap<>();
      for (int arm = 0; arm < samples.arms().size(); arm++) {
        for (Observation observation : samples.observations(samples.arms().get(arm))) {
          observations.add(observation);
          arms.add(arm);
          examples.add(numbers.computeIfAbsent(observation.exampleId(), _ -> numbers.size()));
          counts[arm]++;
        }
      }
    }

    Measurements measurements(List<Integer> which, ToDoubleFunction<Observation> value) {
      double[] noise = new double[which.size()];
      Arrays.fill(noise, 1);
      return new Measurements(
          which.stream().mapToInt(arms::get).toArray(),
          which.stream().mapToInt(examples::get).toArray(),
          which.stream().map(observations::get).mapToDouble(value).toArray(),
          noise);
    }

    List<Integer> all() {
      List<Integer> all = new ArrayList<>();
      for (int i = 0; i < observations.size(); i++) {
        all.add(i);
      }
      return all;
    }

    List<Integer> scored() {
      return all().stream().filter(i -> observations.get(i).quality() != null).toList();
    }
  }

  /**
   * The model of quality. Its variances scale with μ (1 − μ), so that one prior fits hard and easy
   * tasks; the noise scales with the quality of the arm.
   */
  private EffectModel quality(Observed observed, double[] beliefs) {
    Measurements measurements =
        observed.measurements(
            observed.scored(), observation -> Objects.requireNonNull(observation.quality()));
    double mean = (measurements.sum() + 0.5) / (measurements.size() + 1);
    double scale = mean * (1 - mean);
    VariancePrior prior =
        VariancePrior.of(0.08 * scale, 0.5 * scale, 0.04 * scale, noise(measurements, scale));
    MeanFunction centre = new MeanFunction(mean, 0.15 * Math.sqrt(scale), beliefs);
    double[] noise = new double[measurements.size()];
    Arrays.fill(noise, scale);
    EffectModel first = EffectModel.guessed(space, measurements.withNoise(noise), centre, prior);
    for (int i = 0; i < noise.length; i++) {
      noise[i] = spread(first.mean(measurements.arm(i)));
    }
    return EffectModel.fitted(space, measurements.withNoise(noise), centre, prior);
  }

  /**
   * Prior variance of the noise in units of {@code scale}: most of the variance of the
   * measurements. Scores of 0 or 1 have the largest variance that their mean allows, fractional
   * scores far less.
   */
  private static double noise(Measurements measurements, double scale) {
    if (measurements.size() == 0) {
      return 1;
    }
    double inside = 0;
    for (int i = 0; i < measurements.size(); i++) {
      inside += measurements.value(i) * (1 - measurements.value(i));
    }
    double variance = 1 - inside / measurements.size() / scale;
    return Math.max(LEAST_NOISE, NOISE_IN_VARIANCE * variance);
  }

  private static double spread(double quality) {
    double inside = Math.clamp(quality, LEAST_QUALITY, 1 - LEAST_QUALITY);
    return inside * (1 - inside);
  }

  private EffectModel logarithm(
      Observed observed, ToDoubleFunction<Observation> metric, double[] beliefs) {
    Measurements measurements =
        observed.measurements(
            observed.all(),
            observation -> Math.log(Math.max(LEAST, metric.applyAsDouble(observation))));
    double mean = measurements.size() == 0 ? 0 : measurements.sum() / measurements.size();
    return EffectModel.fitted(
        space, measurements, new MeanFunction(mean, 0.6, beliefs), VariancePrior.of(1, 4, 0, 0.1));
  }

  private static double[] beliefs(OperatorSamples samples, Dimension dimension, Priors priors) {
    if (priors.of(samples.operator()).isEmpty()) {
      return new double[0];
    }
    double[] raw = new double[samples.arms().size()];
    for (int i = 0; i < raw.length; i++) {
      Arm arm = samples.arms().get(i);
      OperatorEstimate prior = priors.find(samples.operator(), arm.id());
      raw[i] =
          prior == null
              ? Double.NaN
              : switch (dimension) {
                case QUALITY -> prior.quality();
                case COST -> Math.log(Math.max(LEAST, prior.cost()));
                case LATENCY -> Math.log(Math.max(LEAST, prior.latency()));
              };
    }
    return MeanFunction.standardized(raw);
  }

  int size() {
    return space.size();
  }

  /** Number of samples of an arm. */
  int count(int arm) {
    return counts[arm];
  }

  /** The model of a dimension; only for the requested dimensions. */
  EffectModel model(Dimension dimension) {
    return Objects.requireNonNull(models.get(dimension));
  }

  /** Variance of a measurement of an arm, in the unit of the model. */
  double noise(Dimension dimension, double mean) {
    double relative = dimension == Dimension.QUALITY ? spread(mean) : 1;
    return model(dimension).noise() * relative;
  }

  /** The expected value of an arm in the unit of the dimension. */
  double value(Dimension dimension, int arm) {
    EffectModel model = model(dimension);
    return natural(dimension, model.mean(arm), model.noise());
  }

  /**
   * Converts from the unit of the model to that of the dimension.
   *
   * @param noise variance of the noise; the mean of a log-normal variable exceeds its median
   */
  static double natural(Dimension dimension, double mean, double noise) {
    return dimension == Dimension.QUALITY
        ? Math.clamp(mean, 0, 1)
        : Math.exp(mean + Math.min(0.5, noise) / 2);
  }
}
