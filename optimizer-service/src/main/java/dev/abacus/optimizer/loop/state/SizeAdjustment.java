package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.estimate.RandomEffect;
import dev.abacus.optimizer.estimate.RandomEffect.Kind;
import dev.abacus.schemas.control.SourceSize;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.Arrays;
import java.util.Collection;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Cost and latency of samples as those of a document of mean size. Long documents cost more, and
 * the examples of a few samples are seldom as long in the mean as all documents. All sizes are
 * known without a call, so the size is a control variate:
 *
 * <pre>
 *   amount ≈ mean of the implementation · (1 − share + share · size ÷ mean size)
 * </pre>
 *
 * <p>The share of the amount that grows with the size is estimated per technique, because some
 * techniques read only a part of the document. It minimizes the squared differences of logarithms
 * within implementations. The share of a technique is drawn to that of the operator, and that one
 * to 0, so a few samples change nothing. The mean size is that of live documents once there are
 * many, so estimates follow the stream.
 */
public final class SizeAdjustment {

  private static final int STEPS = 40;

  /** Prior standard deviation of the share of an operator, about 0. */
  private static final double OPERATOR_DEVIATION = 0.5;

  /** Prior standard deviation of the share of a technique, about that of its operator. */
  private static final double TECHNIQUE_DEVIATION = 0.3;

  /** Prior variance of logarithms within an implementation, and its weight in samples. */
  private static final double PRIOR_VARIANCE = 0.05;

  private static final double PRIOR_WEIGHT = 2;

  /** Bounds the factor of short examples. */
  private static final double LEAST_AMOUNT = 0.1;

  private record Technique(String operator, Class<?> type) {

    static Technique of(String operator, PhysicalOperator physical) {
      return new Technique(operator, physical.getClass());
    }

    static Technique of(StampedTask issued) {
      return of(issued.task().operator().id(), issued.task().physical());
    }
  }

  /**
   * The size of an example.
   *
   * @param relative in units of the mean size of the examples of the same source
   * @param expected of a live document, in the same unit
   */
  private record Size(double relative, double expected) {

    /** What an amount is multiplied by to be that of a live document of expected size. */
    double factor(double share) {
      return amount(share, expected) / amount(share, relative);
    }
  }

  private final Map<String, Size> sizes;
  private final Map<Technique, Double> costShares;
  private final Map<Technique, Double> latencyShares;
  private final Map<String, Double> errors;

  private SizeAdjustment(
      Map<String, Size> sizes,
      Map<Technique, Double> costShares,
      Map<Technique, Double> latencyShares,
      Map<String, Double> errors) {
    this.sizes = sizes;
    this.costShares = costShares;
    this.latencyShares = latencyShares;
    this.errors = errors;
  }

  /**
   * Estimates the shares.
   *
   * @param samples the observed tasks
   * @param examples all examples
   * @param live size of live documents, by source
   */
  static SizeAdjustment of(
      Map<StampedTask, Observation> samples,
      Collection<ValidationExample> examples,
      Map<String, SourceSize> live) {
    Map<String, Size> sizes = sizes(examples, live);
    return new SizeAdjustment(
        sizes,
        shares(samples, sizes, Observation::cost),
        shares(samples, sizes, Observation::latency),
        LiveSizes.errors(examples, live));
  }

  private static Map<String, Size> sizes(
      Collection<ValidationExample> examples, Map<String, SourceSize> live) {
    Map<String, DoubleSummaryStatistics> bySource = LiveSizes.bySource(examples);
    Map<String, Size> sizes = new HashMap<>();
    for (ValidationExample example : examples) {
      DoubleSummaryStatistics source = Objects.requireNonNull(bySource.get(example.source()));
      double mean = source.getAverage();
      if (mean > 0) {
        double expected = LiveSizes.expected(source, live.get(example.source()));
        sizes.put(example.id(), new Size(example.document().textLength() / mean, expected / mean));
      }
    }
    return sizes;
  }

  /** How many times as long live documents are as the examples in the mean, by source. */
  static Map<String, Double> liveRatios(
      Collection<ValidationExample> examples, Map<String, SourceSize> live) {
    Map<String, Double> ratios = new TreeMap<>();
    LiveSizes.bySource(examples)
        .forEach((source, lengths) -> {
          SourceSize size = live.get(source);
          if (size != null && lengths.getAverage() > 0) {
            ratios.put(
                source, size.characters() / (double) size.documents() / lengths.getAverage());
          }
        });
    return ratios;
  }

  private static Map<Technique, Double> shares(
      Map<StampedTask, Observation> samples,
      Map<String, Size> sizes,
      ToDoubleFunction<Observation> amount) {
    Map<String, Map<Technique, Squares>> byOperator = new HashMap<>();
    Map<String, List<StampedTask>> byArm =
        samples.keySet().stream()
            .filter(issued -> sizes.containsKey(issued.task().exampleId()))
            .filter(issued -> amount.applyAsDouble(samples.get(issued)) > 0)
            .collect(
                Collectors.groupingBy(
                    issued -> issued.task().operator().id() + "=" + issued.task().physical().id()));
    for (List<StampedTask> arm : byArm.values()) {
      Technique technique = Technique.of(arm.getFirst());
      byOperator
          .computeIfAbsent(technique.operator(), _ -> new HashMap<>())
          .computeIfAbsent(technique, _ -> new Squares())
          .add(
              arm.stream()
                  .mapToDouble(
                      it -> Objects.requireNonNull(sizes.get(it.task().exampleId())).relative())
                  .toArray(),
              arm.stream().mapToDouble(it -> amount.applyAsDouble(samples.get(it))).toArray());
    }
    Map<Technique, Double> shares = new HashMap<>();
    for (Map<Technique, Squares> techniques : byOperator.values()) {
      Squares all = new Squares();
      techniques.values().forEach(all::add);
      double variance = all.variance();
      double common = all.share(variance, 0, OPERATOR_DEVIATION);
      techniques.forEach((technique, squares) ->
          shares.put(technique, squares.share(variance, common, TECHNIQUE_DEVIATION)));
    }
    return shares;
  }

  /** Squared differences of logarithms from the means of their implementations, by share. */
  private static final class Squares {

    private final double[] sums = new double[STEPS + 1];
    private int freedom;

    void add(double[] sizes, double[] amounts) {
      freedom += sizes.length - 1;
      for (int step = 0; step <= STEPS; step++) {
        double share = (double) step / STEPS;
        double[] logs = new double[sizes.length];
        Arrays.setAll(logs, i -> Math.log(amounts[i] / amount(share, sizes[i])));
        double mean = Arrays.stream(logs).average().orElse(0);
        sums[step] += Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
      }
    }

    void add(Squares other) {
      freedom += other.freedom;
      Arrays.setAll(sums, step -> sums[step] + other.sums[step]);
    }

    double variance() {
      return (PRIOR_WEIGHT * PRIOR_VARIANCE + Arrays.stream(sums).min().orElse(0))
          / (PRIOR_WEIGHT + freedom);
    }

    /** The likeliest share under a normal prior. */
    double share(double variance, double prior, double deviation) {
      IntToDoubleFunction loss =
          step -> {
            double distance = ((double) step / STEPS - prior) / deviation;
            return sums[step] / variance + distance * distance;
          };
      int best = 0;
      for (int step = 1; step <= STEPS; step++) {
        best = loss.applyAsDouble(step) < loss.applyAsDouble(best) ? step : best;
      }
      return (double) best / STEPS;
    }
  }

  /** The amount of a document of a size, in units of that of a document of mean size. */
  private static double amount(double share, double size) {
    return Math.max(LEAST_AMOUNT, 1 - share + share * size);
  }

  /**
   * The error of an implementation's cost because the mean size of documents is known from the
   * examples and the live documents so far only.
   *
   * @param upstream of the operator, its sources among them
   * @return error of the logarithm
   */
  Loadings costError(Collection<String> upstream, String operator, PhysicalOperator physical) {
    return error(upstream).times(costShares.getOrDefault(Technique.of(operator, physical), 0.0));
  }

  /** As {@link #costError}, of the latency. */
  Loadings latencyError(Collection<String> upstream, String operator, PhysicalOperator physical) {
    return error(upstream).times(latencyShares.getOrDefault(Technique.of(operator, physical), 0.0));
  }

  /** That of the source whose mean size is known least. */
  private Loadings error(Collection<String> upstream) {
    return errors.entrySet().stream()
        .filter(source -> upstream.contains(source.getKey()))
        .max(Map.Entry.comparingByValue())
        .map(source ->
            Loadings.of(new RandomEffect(Kind.SIZE, source.getKey(), ""), source.getValue()))
        .orElse(Loadings.NONE);
  }

  /** The observation with the cost and latency of a document of mean size. */
  Observation apply(StampedTask issued, Observation observation) {
    @Nullable Size size = sizes.get(issued.task().exampleId());
    if (size == null) {
      return observation;
    }
    Technique technique = Technique.of(issued);
    double cost = size.factor(costShares.getOrDefault(technique, 0.0));
    double latency = size.factor(latencyShares.getOrDefault(technique, 0.0));
    return cost == 1 && latency == 1
        ? observation
        : observation.toBuilder()
            .cost(observation.cost() * cost)
            .latency(observation.latency() * latency)
            .build();
  }
}
