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
 * What the samples of one operator say of all its arms: quality as it is, cost and latency by their
 * natural logarithms, in which what models and techniques add is nearly additive.
 */
final class OperatorModel {

  /** Below this, a cost or latency counts as this: a logarithm is needed, and free is possible. */
  private static final double LEAST = 1e-9;

  /** Of a quality, where the variance of its noise is wanted. */
  private static final double LEAST_QUALITY = 0.03;

  /** Of the variance of all readings of an operator, what noise makes; the rest are arms. */
  private static final double NOISE_IN_VARIANCE = 0.85;

  private static final double LEAST_NOISE = 0.01;

  private final FeatureSpace space;
  private final int[] counts;
  private final Map<Dimension, EffectModel> models = new EnumMap<>(Dimension.class);

  /**
   * Learns.
   *
   * @param dimensions those that are wanted
   */
  OperatorModel(
      FeatureSpace space, OperatorSamples situation, Set<Dimension> dimensions, Priors priors) {
    this.space = space;
    this.counts = new int[space.size()];
    Observed observed = new Observed(situation, counts);
    for (Dimension dimension : dimensions) {
      double[] beliefs = beliefs(situation, dimension, priors);
      models.put(
          dimension,
          dimension == Dimension.QUALITY
              ? quality(observed, beliefs)
              : logarithm(
                  observed,
                  dimension == Dimension.COST ? Observation::cost : Observation::latency,
                  beliefs));
    }
  }

  /** Observations with the numbers of their arms and examples. */
  private static final class Observed {

    final List<Observation> observations = new ArrayList<>();
    final List<Integer> arms = new ArrayList<>();
    final List<Integer> examples = new ArrayList<>();

    Observed(OperatorSamples situation, int[] counts) {
      Map<String, Integer> numbers = new HashMap<>();
      for (int arm = 0; arm < situation.arms().size(); arm++) {
        for (Observation observation : situation.observations(situation.arms().get(arm))) {
          observations.add(observation);
          arms.add(arm);
          examples.add(numbers.computeIfAbsent(observation.exampleId(), _ -> numbers.size()));
          counts[arm]++;
        }
      }
    }

    Readings readings(List<Integer> which, ToDoubleFunction<Observation> value) {
      double[] noise = new double[which.size()];
      Arrays.fill(noise, 1);
      return new Readings(
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
   * Quality, which is in [0, 1]: its variances scale with μ (1 − μ), those of the noise with that
   * of the arm itself. So one guess fits hard tasks and easy ones.
   */
  private EffectModel quality(Observed observed, double[] beliefs) {
    Readings readings =
        observed.readings(
            observed.scored(), observation -> Objects.requireNonNull(observation.quality()));
    double mean = (readings.sum() + 0.5) / (readings.size() + 1);
    double scale = mean * (1 - mean);
    VariancePrior prior =
        VariancePrior.of(0.08 * scale, 0.5 * scale, 0.04 * scale, noise(readings, scale));
    MeanFunction centre = new MeanFunction(mean, 0.15 * Math.sqrt(scale), beliefs);
    double[] noise = new double[readings.size()];
    Arrays.fill(noise, scale);
    EffectModel first = EffectModel.guessed(space, readings.withNoise(noise), centre, prior);
    for (int i = 0; i < noise.length; i++) {
      noise[i] = spread(first.mean(readings.arm(i)));
    }
    return EffectModel.learnt(space, readings.withNoise(noise), centre, prior);
  }

  /**
   * A first guess of the noise, in units of {@code scale}: most of the readings' variance. Scores
   * that are 0 or 1 scatter as much as their mean allows, shares of fields or words far less.
   */
  private static double noise(Readings readings, double scale) {
    if (readings.size() == 0) {
      return 1;
    }
    double inside = 0;
    for (int i = 0; i < readings.size(); i++) {
      inside += readings.value(i) * (1 - readings.value(i));
    }
    double variance = 1 - inside / readings.size() / scale;
    return Math.max(LEAST_NOISE, NOISE_IN_VARIANCE * variance);
  }

  private static double spread(double quality) {
    double inside = Math.clamp(quality, LEAST_QUALITY, 1 - LEAST_QUALITY);
    return inside * (1 - inside);
  }

  private EffectModel logarithm(
      Observed observed, ToDoubleFunction<Observation> metric, double[] beliefs) {
    Readings readings =
        observed.readings(
            observed.all(),
            observation -> Math.log(Math.max(LEAST, metric.applyAsDouble(observation))));
    double mean = readings.size() == 0 ? 0 : readings.sum() / readings.size();
    return EffectModel.learnt(
        space, readings, new MeanFunction(mean, 0.6, beliefs), VariancePrior.of(1, 4, 0, 0.1));
  }

  private static double[] beliefs(OperatorSamples situation, Dimension dimension, Priors priors) {
    if (priors.of(situation.operator()).isEmpty()) {
      return new double[0];
    }
    double[] raw = new double[situation.arms().size()];
    for (int i = 0; i < raw.length; i++) {
      Arm arm = situation.arms().get(i);
      OperatorEstimate prior = priors.find(situation.operator(), arm.id());
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

  /** Samples of an arm. */
  int count(int arm) {
    return counts[arm];
  }

  /** The model of a dimension, one of those asked for. */
  EffectModel model(Dimension dimension) {
    return Objects.requireNonNull(models.get(dimension));
  }

  /** What a reading of an arm scatters by, in the unit of the model. */
  double noise(Dimension dimension, double mean) {
    double relative = dimension == Dimension.QUALITY ? spread(mean) : 1;
    return model(dimension).noise() * relative;
  }

  /** The expected value of an arm in the dimension's own unit. */
  double value(Dimension dimension, int arm) {
    EffectModel model = model(dimension);
    return natural(dimension, model.mean(arm), model.noise());
  }

  /**
   * From the unit of the model to the dimension's own.
   *
   * @param noise variance of the noise: the mean of a log-normal is above its median
   */
  static double natural(Dimension dimension, double mean, double noise) {
    return dimension == Dimension.QUALITY
        ? Math.clamp(mean, 0, 1)
        : Math.exp(mean + Math.min(0.5, noise) / 2);
  }
}
