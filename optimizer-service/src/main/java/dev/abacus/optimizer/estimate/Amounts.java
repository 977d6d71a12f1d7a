package dev.abacus.optimizer.estimate;

import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

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
record Amounts(
    OperatorContext context,
    PromptCaches caches,
    TierPrices tiers,
    Map<Class<?>, Double> costShares,
    Map<Class<?>, Double> latencyShares) {

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

  /** Estimates the shares. */
  static Amounts fit(OperatorContext context, List<Evidence> evidence) {
    PromptCaches caches = new PromptCaches(context, evidence);
    return new Amounts(
        context,
        caches,
        TierPrices.of(evidence.stream().map(Evidence::seen).toList()),
        shares(context, evidence, one -> live(context, caches, one)),
        shares(context, evidence, one -> one.seen().latency()));
  }

  /** The cost of a document in a batch of the expected size, with what providers have cached. */
  private static double live(OperatorContext context, PromptCaches caches, Evidence evidence) {
    Observation.Batch batch = evidence.seen().batch();
    int most = evidence.physical().documentsPerCall();
    double cost = evidence.seen().cost();
    if (batch == null || most == 1) {
      return caches.cost(evidence, cost, 1);
    }
    double larger = batch.documents() / context.documentsPerCall().applyAsDouble(most);
    return caches.cost(
        evidence, Math.max(0, cost + batch.instructionCost() * (larger - 1)), larger);
  }

  private static Map<Class<?>, Double> shares(
      OperatorContext context, List<Evidence> evidence, ToDoubleFunction<Evidence> amount) {
    Map<String, DocumentSizes.Size> sizes = context.sizes().byExample();
    Map<Evidence.Group, List<Evidence>> byArm =
        evidence.stream()
            .filter(one -> sizes.containsKey(one.seen().exampleId()))
            .filter(one -> amount.applyAsDouble(one) > 0)
            .collect(
                Collectors.groupingBy(
                    one -> new Evidence.Group(one.physical().id(), false),
                    LinkedHashMap::new,
                    Collectors.toList()));
    Map<Class<?>, Squares> techniques = new LinkedHashMap<>();
    for (List<Evidence> arm : byArm.values()) {
      techniques
          .computeIfAbsent(arm.getFirst().physical().getClass(), _ -> new Squares())
          .add(
              arm.stream()
                  .mapToDouble(
                      one -> Objects.requireNonNull(sizes.get(one.seen().exampleId())).relative())
                  .toArray(),
              arm.stream().mapToDouble(amount).toArray());
    }
    Squares all = new Squares();
    techniques.values().forEach(all::add);
    double variance = all.variance();
    double common = all.share(variance, 0, OPERATOR_DEVIATION);
    Map<Class<?>, Double> shares = new HashMap<>();
    techniques.forEach((technique, squares) ->
        shares.put(technique, squares.share(variance, common, TECHNIQUE_DEVIATION)));
    return shares;
  }

  /** The cost of a live document, in USD if its calls are made. */
  double cost(Evidence evidence) {
    return live(context, caches, evidence)
        * tiers.factor(evidence.seen())
        * factor(evidence, costShares);
  }

  /** The latency of a live document, in seconds if its calls are made. */
  double latency(Evidence evidence) {
    return evidence.seen().latency() * factor(evidence, latencyShares);
  }

  /** What an amount is multiplied by to be that of a live document of expected size. */
  private double factor(Evidence evidence, Map<Class<?>, Double> shares) {
    DocumentSizes.Size size = context.sizes().byExample().get(evidence.seen().exampleId());
    double share = shares.getOrDefault(evidence.physical().getClass(), 0.0);
    return size == null ? 1 : amount(share, size.expected()) / amount(share, size.relative());
  }

  /**
   * How live documents differ from the evidence of an implementation.
   *
   * @param quality error of the quality
   */
  LiveAmounts live(PhysicalOperator physical, Loadings quality) {
    StoredAnswers.Remainder stored = context.stored().apply(physical);
    Loadings reuse = stored.error(context.operator().id());
    Loadings size = context.sizes().error(context.upstream());
    Class<?> technique = physical.getClass();
    return new LiveAmounts(
        stored,
        caches.left(physical),
        quality,
        reuse
            .plus(size.times(costShares.getOrDefault(technique, 0.0)))
            .plus(caches.error(physical, context.operator().id())),
        reuse.plus(size.times(latencyShares.getOrDefault(technique, 0.0))));
  }

  /** Squared differences of logarithms from the means of their implementations, by share. */
  private static final class Squares {

    private final double[] sums = new double[STEPS + 1];
    private int freedom;

    /** Adds samples of one implementation. One alone does not differ from their mean. */
    void add(double[] sizes, double[] amounts) {
      if (sizes.length < 2) {
        return;
      }
      freedom += sizes.length - 1;
      double[] logs = new double[sizes.length];
      for (int step = 0; step <= STEPS; step++) {
        double share = (double) step / STEPS;
        double sum = 0;
        for (int i = 0; i < logs.length; i++) {
          logs[i] = Math.log(amounts[i] / amount(share, sizes[i]));
          sum += logs[i];
        }
        double mean = sum / logs.length;
        for (double log : logs) {
          sums[step] += (log - mean) * (log - mean);
        }
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
}
