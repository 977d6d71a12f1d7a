package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.optimizer.estimate.Estimator.ScoreVariance;
import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.estimate.Measurement;
import dev.abacus.optimizer.estimate.RandomEffect;
import dev.abacus.optimizer.estimate.RandomEffect.Kind;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.objective.Dimension;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The models of one operator's arms, one per dimension: quality as it is, cost and latency by their
 * natural logarithms, where effects of models and techniques are nearly additive.
 */
final class OperatorModel {

  /** Smallest cost or latency before taking the logarithm. */
  private static final double LEAST = 1e-9;

  /** Prior deviation of the effect of a service tier on latency: a factor of two. */
  private static final double TIER = Math.log(2);

  /** Prior deviation of the effect of beliefs about quality, in units of the spread of scores. */
  private static final double BELIEF_IN_SPREAD = 0.15;

  private final FeatureSpace space;
  private final String operator;
  private final List<String> examples;
  private final double[] tierPrices;
  private final int[] counts;
  private final @Nullable ScoreVariance scoreVariance;
  private final Map<Dimension, EffectModel> models = new EnumMap<>(Dimension.class);

  /**
   * Fits the models.
   *
   * @param dimensions dimensions to model
   */
  OperatorModel(
      FeatureSpace space, OperatorSamples samples, Set<Dimension> dimensions, Priors priors) {
    this.space = space;
    this.operator = samples.operator();
    this.counts = new int[space.size()];
    this.scoreVariance = samples.readings().scoreVariance();
    this.tierPrices =
        samples.arms().stream()
            .mapToDouble(arm -> Math.log(samples.readings().tierPrice(arm.id())))
            .toArray();
    Observed observed = new Observed(samples);
    observed.arms.forEach(arm -> counts[space.answering(arm)]++);
    this.examples = observed.exampleIds;
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
      case COST ->
          logarithm(
              observed.measurements(
                  observed.distinct(space, observed.all()), logarithm(Measurement::cost), _ -> 1),
              beliefs,
              tierPrices,
              0);
      case LATENCY ->
          logarithm(
              observed.measurements(observed.all(), logarithm(Measurement::latency), _ -> 1),
              beliefs,
              new double[0],
              TIER * TIER);
    };
  }

  /** What was observed, with the indexes of arms, examples and calls for several documents. */
  private static final class Observed {

    final List<Measurement> measured = new ArrayList<>();
    final List<Integer> arms = new ArrayList<>();
    final List<Integer> examples = new ArrayList<>();
    final List<Integer> calls = new ArrayList<>();
    final List<String> exampleIds;

    Observed(OperatorSamples samples) {
      SequencedMap<String, Integer> numbers = new LinkedHashMap<>();
      Map<String, Integer> shared = new HashMap<>();
      for (int arm = 0; arm < samples.arms().size(); arm++) {
        for (Measurement one : samples.measurements(samples.arms().get(arm))) {
          measured.add(one);
          arms.add(arm);
          examples.add(numbers.computeIfAbsent(one.example(), _ -> numbers.size()));
          String call = one.call();
          calls.add(call == null ? -1 : shared.computeIfAbsent(call, _ -> shared.size()));
        }
      }
      exampleIds = List.copyOf(numbers.keySet());
    }

    Measurements measurements(
        List<Integer> which,
        ToDoubleFunction<Measurement> value,
        ToDoubleFunction<Measurement> rest) {
      return Measurements.of(
          which.stream().mapToInt(arms::get).toArray(),
          which.stream().mapToInt(examples::get).toArray(),
          which.stream().mapToInt(calls::get).toArray(),
          judged(which),
          which.stream().map(measured::get).mapToDouble(value).toArray(),
          which.stream().map(measured::get).mapToDouble(rest).toArray());
    }

    private boolean[] judged(List<Integer> which) {
      boolean[] judged = new boolean[which.size()];
      for (int i = 0; i < judged.length; i++) {
        judged[i] = measured.get(which.get(i)).judged();
      }
      return judged;
    }

    List<Integer> all() {
      List<Integer> all = new ArrayList<>();
      for (int i = 0; i < measured.size(); i++) {
        all.add(i);
      }
      return all;
    }

    /** Scores, each answer once. */
    List<Integer> scored(FeatureSpace space) {
      return distinct(
          space, all().stream().filter(i -> measured.get(i).quality() != null).toList());
    }

    /** Of two service tiers on one example, one: it is the same answer. */
    List<Integer> distinct(FeatureSpace space, List<Integer> which) {
      Map<List<Integer>, Integer> first = new HashMap<>();
      return which.stream()
          .filter(i -> {
            int arm = arms.get(i);
            Integer seen = first.putIfAbsent(List.of(space.answering(arm), examples.get(i)), arm);
            return seen == null || seen == arm;
          })
          .toList();
    }
  }

  private EffectModel quality(Observed observed, double[] beliefs) {
    List<Integer> scored = observed.scored(space);
    Measurements scores =
        observed.measurements(
            scored, one -> Objects.requireNonNull(one.quality()), Measurement::rest);
    QualityPrior prior =
        QualityPrior.of(
            scoreVariance == null
                ? observed.measurements(scored, one -> Objects.requireNonNull(one.seen()), _ -> 1)
                : scores,
            scoreVariance);
    return new EffectModel(
        space,
        scores.byCall(),
        new MeanFunction(prior.centre(), BELIEF_IN_SPREAD * prior.spread(), beliefs, new double[0]),
        prior.variances());
  }

  private static ToDoubleFunction<Measurement> logarithm(ToDoubleFunction<Measurement> metric) {
    return measured -> Math.log(Math.max(LEAST, metric.applyAsDouble(measured)));
  }

  /**
   * A model of logarithms.
   *
   * @param offsets by which the arms are known to differ; empty for none
   * @param tiers prior variance of the effect of service tiers
   */
  private EffectModel logarithm(
      Measurements each, double[] beliefs, double[] offsets, double tiers) {
    Measurements measurements = each.byCall();
    MeanFunction known = new MeanFunction(0, 0, new double[0], offsets);
    double sum = measurements.sum();
    for (int i = 0; i < measurements.size(); i++) {
      sum -= known.of(measurements.arm(i));
    }
    return new EffectModel(
        space,
        measurements,
        new MeanFunction(sum / Math.max(1, measurements.size()), 0.6, beliefs, offsets),
        VariancePrior.of(1, 4, 0, 0, 0.1, VariancePrior.NOISE_DEVIATION).withTiers(tiers));
  }

  /** Beliefs of each arm; but for latency, those at the standard tier. */
  private double[] beliefs(OperatorSamples samples, Dimension dimension, Priors priors) {
    if (priors.of(samples.operator()).isEmpty()) {
      return new double[0];
    }
    double[] raw = new double[samples.arms().size()];
    for (int i = 0; i < raw.length; i++) {
      Arm arm = samples.arms().get(dimension == Dimension.LATENCY ? i : space.answering(i));
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

  /** The residuals of quality. */
  SharedHardness.Residuals residuals() {
    return model(Dimension.QUALITY).residuals(examples);
  }

  /**
   * The error of an arm in the unit of the model.
   *
   * @param shared share of the variance of an example's effect that all operators have in common
   */
  Loadings error(Dimension dimension, int arm, double shared) {
    Loadings error = model(dimension).error(arm, operator, examples, shared);
    return dimension == Dimension.QUALITY && scoreVariance != null
        ? error.plus(
            Loadings.of(
                new RandomEffect(Kind.EXAMPLE, operator, "both classes"),
                Math.sqrt(scoreVariance.common())))
        : error;
  }

  /** Number of samples of an arm, at whatever service tiers. */
  int count(int arm) {
    return counts[space.answering(arm)];
  }

  /** The model of a dimension; only for the requested dimensions. */
  EffectModel model(Dimension dimension) {
    return Objects.requireNonNull(models.get(dimension));
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
