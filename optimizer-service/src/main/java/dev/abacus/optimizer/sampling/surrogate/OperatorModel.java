package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.optimizer.estimate.Estimator.ScoreVariance;
import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.estimate.Measurement;
import dev.abacus.optimizer.estimate.RandomEffect;
import dev.abacus.optimizer.estimate.RandomEffect.Kind;
import dev.abacus.optimizer.estimate.Readings;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.objective.Dimension;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The models of one operator's arms, one per dimension: quality as it is, cost and latency by their
 * natural logarithms, where effects of models and techniques are nearly additive. Each is fitted
 * when it is asked for. Thread-safe.
 */
final class OperatorModel {

  /** Smallest cost or latency before taking the logarithm. */
  private static final double LEAST = 1e-9;

  /** A smaller amount is none, as the cost of a model without a price. */
  static final double NOTHING = 2 * LEAST;

  /** Prior deviation of the effect of a service tier on latency: a factor of two. */
  private static final double TIER = Math.log(2);

  /** Prior deviation of the effect of beliefs about quality, in units of the spread of scores. */
  private static final double BELIEF_IN_SPREAD = 0.15;

  /**
   * All that the models depend on, but for priors.
   *
   * @param measured by arm, in order of the arms
   * @param tierPrices of each arm, as {@link Readings#tierPrice}
   */
  record Input(
      String operator,
      List<Arm> arms,
      List<List<Measurement>> measured,
      @Nullable ScoreVariance scoreVariance,
      List<Double> tierPrices) {

    static Input of(OperatorSamples samples) {
      Readings readings = samples.readings();
      return new Input(
          samples.operator(),
          samples.arms(),
          samples.arms().stream().map(samples::measurements).toList(),
          readings.scoreVariance(),
          samples.arms().stream().map(arm -> readings.tierPrice(arm.id())).toList());
    }

    /** Number of measurements. */
    int size() {
      return measured.stream().mapToInt(List::size).sum();
    }
  }

  private final FeatureSpace space;
  private final Input input;
  private final Priors priors;
  private final Observed observed;
  private final int[] counts;
  private final Map<Dimension, EffectModel> models = new ConcurrentHashMap<>();

  OperatorModel(FeatureSpace space, Input input, Priors priors) {
    this.space = space;
    this.input = input;
    this.priors = priors;
    this.observed = new Observed(space, input.measured());
    this.counts = new int[space.index().length];
    observed.all.forEach(one -> counts[space.answering()[one.arm()]]++);
  }

  /**
   * The model with prior beliefs, or the one without them if the measurements are likelier under
   * that. So misleading beliefs are ignored as soon as the measurements contradict them.
   */
  private EffectModel likelier(Dimension dimension) {
    EffectModel uninformed = fitted(dimension, new double[0]);
    double[] beliefs = beliefs(dimension);
    if (beliefs.length == 0) {
      return uninformed;
    }
    EffectModel informed = fitted(dimension, beliefs);
    return informed.logLikelihood() >= uninformed.logLikelihood() ? informed : uninformed;
  }

  private EffectModel fitted(Dimension dimension, double[] beliefs) {
    return switch (dimension) {
      case QUALITY -> quality(beliefs);
      case COST ->
          logarithm(
              observed.amounts(observed.distinct(observed.all), Measurement::cost),
              beliefs,
              input.tierPrices().stream().mapToDouble(Math::log).toArray(),
              0);
      case LATENCY ->
          logarithm(
              observed.amounts(observed.all, Measurement::latency),
              beliefs,
              new double[0],
              TIER * TIER);
    };
  }

  /**
   * A measurement with the indexes of its arm, its example and its call for several documents.
   *
   * @param call negative if it had calls of its own
   */
  private record Indexed(Measurement measured, int arm, int example, int call) {}

  /**
   * What was observed. Documents about which no model needs to be asked, such as one without
   * candidates for a join, cost nothing with whatever implementation. The mean amounts are those of
   * the others times their share. An answer that alone cost nothing, as a provider may refuse a
   * document without a bill, says nothing about amounts.
   */
  private static final class Observed {

    private final FeatureSpace space;
    final List<Indexed> all = new ArrayList<>();
    final List<String> exampleIds;

    /** Examples on which some implementation cost something. */
    private final Set<Integer> called = new HashSet<>();

    /** Arms that cost something on some example. */
    private final Set<Integer> paid = new HashSet<>();

    /** Examples on which none did, although one that does elsewhere was sampled. */
    private final Set<Integer> idle = new HashSet<>();

    Observed(FeatureSpace space, List<List<Measurement>> byArm) {
      this.space = space;
      SequencedMap<String, Integer> numbers = new LinkedHashMap<>();
      Map<String, Integer> shared = new HashMap<>();
      for (int arm = 0; arm < byArm.size(); arm++) {
        for (Measurement one : byArm.get(arm)) {
          String call = one.call();
          all.add(
              new Indexed(
                  one,
                  arm,
                  numbers.computeIfAbsent(one.example(), _ -> numbers.size()),
                  call == null ? -1 : shared.computeIfAbsent(call, _ -> shared.size())));
        }
      }
      exampleIds = List.copyOf(numbers.keySet());
      for (Indexed one : all) {
        if (one.measured().cost() > 0) {
          called.add(one.example());
          paid.add(space.answering()[one.arm()]);
        }
      }
      for (Indexed one : all) {
        if (isFree(one) && !called.contains(one.example())) {
          idle.add(one.example());
        }
      }
    }

    /** Whether it cost nothing, although the arm does elsewhere. */
    private boolean isFree(Indexed one) {
      return one.measured().cost() == 0 && paid.contains(space.answering()[one.arm()]);
    }

    /** Logarithms of mean cost or latency, which are the same whoever scores. */
    Measurements amounts(List<Indexed> which, ToDoubleFunction<Measurement> metric) {
      double share = idle.isEmpty() ? 1 : (double) called.size() / (called.size() + idle.size());
      return measurements(
          which.stream().filter(one -> !idle.contains(one.example()) && !isFree(one)).toList(),
          measured -> Math.log(Math.max(LEAST, share * metric.applyAsDouble(measured))),
          _ -> 1,
          _ -> false);
    }

    /** The deviation of the logarithm of the share of documents that need a call (delta method). */
    double deviationOfShare() {
      return idle.isEmpty()
          ? 0
          : Math.sqrt((double) idle.size() / called.size() / (called.size() + idle.size()));
    }

    /** Scores, each answer once. */
    List<Indexed> scored() {
      return distinct(all.stream().filter(one -> one.measured().quality() != null).toList());
    }

    /** Of two service tiers on one example, one: it is the same answer. */
    List<Indexed> distinct(List<Indexed> which) {
      Map<List<Integer>, Integer> first = new HashMap<>();
      return which.stream()
          .filter(one -> {
            List<Integer> answer = List.of(space.answering()[one.arm()], one.example());
            Integer seen = first.putIfAbsent(answer, one.arm());
            return seen == null || seen == one.arm();
          })
          .toList();
    }
  }

  private static Measurements measurements(
      List<Indexed> which,
      ToDoubleFunction<Measurement> value,
      ToDoubleFunction<Measurement> rest,
      Predicate<Measurement> judged) {
    return new Measurements(
        which.stream()
            .map(one ->
                new Measurements.Value(
                    one.arm(),
                    List.of(one.example()),
                    one.call(),
                    judged.test(one.measured()),
                    value.applyAsDouble(one.measured()),
                    rest.applyAsDouble(one.measured())))
            .toList());
  }

  private EffectModel quality(double[] beliefs) {
    ScoreVariance scoreVariance = input.scoreVariance();
    List<Indexed> scored = observed.scored();
    Measurements scores =
        measurements(
            scored,
            one -> Objects.requireNonNull(one.quality()),
            Measurement::rest,
            Measurement::judged);
    QualityPrior prior =
        QualityPrior.of(
            scoreVariance == null
                ? measurements(
                    scored, one -> Objects.requireNonNull(one.seen()), _ -> 1, _ -> false)
                : scores,
            scoreVariance);
    MeanFunction centre =
        new MeanFunction(prior.centre(), BELIEF_IN_SPREAD * prior.spread(), beliefs, new double[0]);
    return new EffectModel(
        space,
        JudgeScale.ofLabels(space, scores.byCall(), centre, prior.variances()),
        centre,
        prior.variances());
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
    for (Measurements.Value one : measurements.values()) {
      sum -= known.of(one.arm());
    }
    return new EffectModel(
        space,
        measurements,
        new MeanFunction(sum / Math.max(1, measurements.values().size()), 0.6, beliefs, offsets),
        VariancePrior.of(1, 4, 0, 0, 0.1, VariancePrior.NOISE_DEVIATION).withTiers(tiers));
  }

  /** Beliefs of each arm; but for latency, those at the standard tier. */
  private double[] beliefs(Dimension dimension) {
    if (priors.of(input.operator()).isEmpty()) {
      return new double[0];
    }
    double[] raw = new double[size()];
    for (int i = 0; i < raw.length; i++) {
      Arm arm = input.arms().get(dimension == Dimension.LATENCY ? i : space.answering()[i]);
      OperatorEstimate prior = priors.find(input.operator(), arm.id());
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
    return space.index().length;
  }

  /** The residuals of quality. */
  SharedHardness.Residuals residuals() {
    return model(Dimension.QUALITY).residuals(observed.exampleIds);
  }

  /**
   * The error of an arm in the unit of the model.
   *
   * @param shared share of the variance of an example's effect that all operators have in common
   */
  Loadings error(Dimension dimension, int arm, double shared) {
    String operator = input.operator();
    ScoreVariance scoreVariance = input.scoreVariance();
    double common =
        dimension != Dimension.QUALITY
            ? observed.deviationOfShare()
            : scoreVariance == null ? 0 : Math.sqrt(scoreVariance.common());
    String name = dimension == Dimension.QUALITY ? "both classes" : "documents with calls";
    return model(dimension)
        .error(arm, operator, observed.exampleIds, shared)
        .plus(Loadings.of(new RandomEffect(Kind.EXAMPLE, operator, name), common));
  }

  /** Number of samples of an arm, at whatever service tiers. */
  int count(int arm) {
    return counts[space.answering()[arm]];
  }

  /** The model of a dimension. */
  EffectModel model(Dimension dimension) {
    return models.computeIfAbsent(dimension, this::likelier);
  }

  /** The expected value of an arm in the unit of the dimension. */
  double value(Dimension dimension, int arm) {
    EffectModel model = model(dimension);
    return natural(dimension, model.mean(arm), model.noise());
  }

  /** The expected values of an arm, with a selectivity that is known otherwise. */
  OperatorEstimate estimate(int arm, double selectivity) {
    return new OperatorEstimate(
        value(Dimension.QUALITY, arm),
        value(Dimension.COST, arm),
        value(Dimension.LATENCY, arm),
        selectivity);
  }

  /**
   * Converts from the unit of the model to that of the dimension.
   *
   * @param noise variance of the noise; the mean of a log-normal variable exceeds its median
   */
  static double natural(Dimension dimension, double mean, double noise) {
    if (dimension == Dimension.QUALITY) {
      return Math.clamp(mean, 0, 1);
    }
    double amount = Math.exp(mean + Math.min(0.5, noise) / 2);
    return amount < NOTHING ? 0 : amount;
  }
}
