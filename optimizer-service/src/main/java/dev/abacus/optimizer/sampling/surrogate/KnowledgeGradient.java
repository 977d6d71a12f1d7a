package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.optimizer.sampling.Outlook;
import dev.abacus.optimizer.sampling.Stakes;
import dev.abacus.schemas.objective.Dimension;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the arms of one operator whose next samples are worth most (Frazier, Powell and Dayanik
 * 2009, "The knowledge-gradient policy for correlated normal beliefs"): the expected increase of
 * the worth of the best arm by the sample, which also changes the beliefs about correlated arms.
 *
 * <p>With bounds, the worth of an arm is its target value weighted by its probability to be
 * feasible, and the worst value otherwise. That alone does not settle a bound: an arm at a tenth of
 * the cost that is feasible with 0.3 is worth more than any that is sure. So while no arm keeps its
 * limits with the required probability, every other sample is for that ({@link #settling}).
 *
 * <p>The expectation is taken over a grid of outcomes of all metrics. With a budget in dollars, an
 * increase counts per expected cost of the sample. Of several samples, each is chosen as if the
 * ones before it had their expected outcome.
 *
 * <p>The same expectation says when to stop ({@link #outlook}): in the unit of the target, for the
 * arm that would be chosen now and after the samples, and for as many samples as are worth most
 * each. One sample seldom changes the choice, so a stop by the value of one would be too early
 * (Chick and Frazier 2012, "Sequential sampling with economics of selection procedures": KG*).
 */
final class KnowledgeGradient {

  /** Number of arms considered as the best one. */
  private static final int CONTENDERS = 100;

  /** Number of arms whose posterior variance is computed, to select the contenders. */
  private static final int POOL = 3000;

  /** Number of arms evaluated again for each further sample. */
  private static final int REWEIGHED = 30;

  private static final double OPTIMISM = 1.5;

  private static final double LEAST_PRICE = 1e-7;

  /** Number of measurements looked ahead; one noisy measurement seldom changes the choice. */
  private static final double LOOKAHEAD = 4;

  /** Factor between the numbers of samples that are looked ahead for the value of a stop. */
  private static final int AHEAD = 4;

  /** No arm. */
  private static final int NONE = ContenderBeliefs.NONE;

  private final OperatorModel model;
  private final PlanContext context;
  private final Dimension[] dimensions;

  private final List<Integer> arms;
  private final ContenderBeliefs beliefs;
  private final boolean perDollar;
  private final double required;
  private final double worst;
  private final double best;

  /**
   * Prepares the choice.
   *
   * @param eligible indexes of the arms that may be sampled and chosen
   * @param perDollar whether a sample's value counts per expected cost
   * @param required probability with which an arm has to keep its limits
   */
  KnowledgeGradient(
      OperatorModel model,
      PlanContext context,
      Dimension[] dimensions,
      int[] eligible,
      boolean perDollar,
      double required) {
    this.perDollar = perDollar;
    this.required = required;
    this.model = model;
    this.context = context;
    this.dimensions = dimensions.clone();
    List<Integer> pool = new ArrayList<>();
    IntStream.of(eligible).filter(arm -> model.count(arm) > 0).forEach(pool::add);
    pool.addAll(
        best(
            IntStream.of(eligible).filter(arm -> model.count(arm) == 0).boxed().toList(),
            POOL,
            (d, arm) -> Math.sqrt(model.model(dimensions[d]).prior(arm, arm))));
    double[][][] whitened = new double[dimensions.length][model.size()][];
    for (int arm : pool) {
      for (int d = 0; d < dimensions.length; d++) {
        whitened[d][arm] = model.model(dimensions[d]).whitened(arm);
      }
    }
    this.arms =
        best(
            pool,
            CONTENDERS,
            (d, arm) -> model.model(dimensions[d]).deviation(arm, whitened[d][arm]));
    beliefs = ContenderBeliefs.of(model, context, this.dimensions, arms, whitened);
    DoubleSummaryStatistics worths =
        IntStream.range(0, arms.size())
            .mapToDouble(i -> context.worth(this.dimensions, beliefs.means(i)))
            .summaryStatistics();
    worst = arms.isEmpty() ? 0 : worths.getMin();
    best = arms.isEmpty() ? 0 : worths.getMax();
  }

  /** The standard deviation of an arm in a dimension. */
  private interface Deviation {
    double of(int dimension, int arm);
  }

  /** The arms of highest worth under optimistic values. */
  private List<Integer> best(List<Integer> from, int count, Deviation deviation) {
    double[] hope = new double[model.size()];
    double[] optimistic = new double[dimensions.length];
    double[] deviations = new double[dimensions.length];
    for (int arm : from) {
      for (int d = 0; d < dimensions.length; d++) {
        int sign = dimensions[d] == Dimension.QUALITY ? 1 : -1;
        deviations[d] = deviation.of(d, arm);
        optimistic[d] = model.model(dimensions[d]).mean(arm) + sign * OPTIMISM * deviations[d];
      }
      double worth = context.worth(dimensions, optimistic);
      double probability = context.feasible(dimensions, optimistic, deviations);
      hope[arm] = context.hope(worth, probability);
    }
    return from.stream()
        .sorted(
            Comparator.<Integer>comparingDouble(arm -> -hope[arm])
                .thenComparing(Comparator.naturalOrder()))
        .limit(count)
        .toList();
  }

  /**
   * Arms to sample, the most valuable first; an arm may appear several times.
   *
   * @param room number of examples left for an arm
   */
  List<Integer> choose(int count, IntUnaryOperator room) {
    List<Integer> chosen = new ArrayList<>();
    IntUnaryOperator left =
        i -> room.applyAsInt(arms.get(i)) - Collections.frequency(chosen, arms.get(i));
    List<Integer> forTarget = IntStream.range(0, arms.size()).boxed().toList();
    List<Integer> forBounds = chosen() == NONE ? forTarget : List.of();
    while (chosen.size() < count && !forTarget.isEmpty()) {
      int next;
      if (chosen.size() % 2 == 0 && !forBounds.isEmpty()) {
        double now = settled();
        forBounds = best(forBounds, left, i -> settling(i, left.applyAsInt(i), now));
        next = forBounds.isEmpty() ? NONE : forBounds.getFirst();
      } else {
        forTarget = best(forTarget, left, this::gain);
        next = forTarget.isEmpty() ? NONE : forTarget.getFirst();
      }
      if (next != NONE) {
        chosen.add(arms.get(next));
        beliefs.condition(next);
      }
    }
    return chosen;
  }

  /** The arms with room whose samples are worth most for their price, the best first. */
  private List<Integer> best(List<Integer> from, IntUnaryOperator left, IntToDoubleFunction worth) {
    double[] values = new double[arms.size()];
    for (int i : from) {
      values[i] = left.applyAsInt(i) > 0 ? worth.applyAsDouble(i) / price(i) : 0;
    }
    return from.stream()
        .filter(i -> left.applyAsInt(i) > 0)
        .sorted(Comparator.<Integer>comparingDouble(i -> -values[i]).thenComparing(i -> i))
        .limit(REWEIGHED)
        .toList();
  }

  /** The expected cost of a sample, or 1. */
  private double price(int candidate) {
    return perDollar ? Math.max(LEAST_PRICE, cost(candidate)) : 1;
  }

  private double cost(int candidate) {
    return model.value(Dimension.COST, arms.get(candidate));
  }

  /** The expected increase of the worth of the best arm by a sample of {@code sampled}. */
  private double gain(int sampled) {
    return beliefs.gain(
        beliefs.shifts(sampled, NONE, LOOKAHEAD),
        context::worth,
        (_, worth, feasible) -> feasible * worth + (1 - feasible) * Math.min(worth, worst));
  }

  /**
   * The worth of an arm to the choice of a plan, which is the best one that keeps its limits with
   * the required probability, or else the likeliest.
   */
  private double settled(double worth, double feasible) {
    double missing = required - feasible;
    return missing <= 0 ? worth : Math.min(worth, worst) - missing * (best - worst);
  }

  /** The same of the arm that would be chosen now. */
  private double settled() {
    return IntStream.range(0, arms.size())
        .mapToDouble(i ->
            settled(
                context.worth(dimensions, beliefs.means(i)),
                context.feasible(dimensions, beliefs.means(i), beliefs.deviations(i))))
        .max()
        .orElse(0);
  }

  /**
   * The expected increase of it by a sample of {@code sampled}, of as many as are worth most each.
   *
   * @param room number of examples left for it
   */
  private double settling(int sampled, int room, double now) {
    double most = Double.NEGATIVE_INFINITY;
    for (int samples = 1; samples <= room; samples *= AHEAD) {
      double[][] shifts = beliefs.shifts(sampled, NONE, samples);
      double then =
          beliefs
              .expect(shifts, context::worth, (_, worth, feasible) -> settled(worth, feasible))
              .informed();
      most = Math.max(most, (then - now) / samples);
    }
    return most;
  }

  /**
   * What the most promising samples would bring.
   *
   * @param room number of examples left for an arm
   * @return null if no arm keeps its limits with the required probability
   */
  @Nullable Outlook outlook(Stakes stakes, IntUnaryOperator room) {
    int chosen = chosen();
    if (chosen == NONE) {
      return null;
    }
    Outlook best = outlook(chosen, NONE, chosen, stakes, room);
    for (int arm = 0; arm < arms.size() && !best.isWorthIt(); arm++) {
      if (arm != chosen) {
        best =
            best.or(outlook(arm, NONE, chosen, stakes, room))
                .or(outlook(arm, chosen, chosen, stakes, room));
      }
    }
    return best;
  }

  /**
   * What samples of an arm would bring, or of two arms on the same examples.
   *
   * @param against the second arm; {@link #NONE} for none
   */
  private Outlook outlook(int arm, int against, int chosen, Stakes stakes, IntUnaryOperator room) {
    ContenderBeliefs.Worth worth =
        (i, value, feasible) ->
            i == chosen || feasible >= required ? value : Double.NEGATIVE_INFINITY;
    int most = room.applyAsInt(arms.get(arm));
    if (against != NONE) {
      most = Math.min(most, room.applyAsInt(arms.get(against)));
    }
    if (context.target() != Dimension.COST) {
      // Nobody has said what they are worth, so the price of samples does not count.
      double gain =
          most == 0
              ? 0
              : beliefs.gain(
                  beliefs.shifts(arm, against, Double.POSITIVE_INFINITY), context::value, worth);
      return new Outlook(context.target(), gain, leastGain(chosen, stakes));
    }
    int each = against == NONE ? 1 : 2;
    double price = stakes.judgeUsd() + (cost(arm) + (against == NONE ? 0 : cost(against))) / each;
    Outlook best = new Outlook(Dimension.COST, 0, price);
    for (int samples = 1; samples <= most && !best.isWorthIt(); samples *= AHEAD) {
      double gain =
          beliefs.gain(beliefs.shifts(arm, against, samples), context::value, worth)
              / (each * samples);
      best = best.or(new Outlook(Dimension.COST, gain > 0 ? gain * stakes.documents() : 0, price));
    }
    return best;
  }

  /**
   * The gain of quality or latency that counts at least. An expected gain of (1 − required) × a
   * difference bounds the probability of a larger difference by 1 − required (Markov's inequality).
   * A difference in quality that does not decide is set; one in latency that the estimate of the
   * chosen arm cannot show is its standard error.
   */
  private double leastGain(int chosen, Stakes stakes) {
    double difference = stakes.tolerance();
    for (int d = 0; d < dimensions.length; d++) {
      if (dimensions[d] != Dimension.QUALITY && dimensions[d] == context.target()) {
        difference = beliefs.deviations(chosen)[d] * Math.exp(beliefs.means(chosen)[d]);
      }
    }
    return (1 - required) * difference;
  }

  /** The sampled arm of highest value that keeps its limits; {@link #NONE} if none does. */
  private int chosen() {
    int chosen = NONE;
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < arms.size(); i++) {
      double value = context.value(dimensions, beliefs.means(i));
      if (model.count(arms.get(i)) > 0
          && value > most
          && context.feasible(dimensions, beliefs.means(i), beliefs.deviations(i)) >= required) {
        chosen = i;
        most = value;
      }
    }
    return chosen;
  }
}
