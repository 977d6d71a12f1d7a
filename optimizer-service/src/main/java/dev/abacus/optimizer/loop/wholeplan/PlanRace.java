package dev.abacus.optimizer.loop.wholeplan;

import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cost.Belief;
import dev.abacus.optimizer.search.cost.Quantiles;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanPromise;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Measures the best plans end to end on examples that the search did not use: all of them on the
 * same examples, then the better ones on further examples (successive halving; Jamieson and
 * Talwalkar 2016), then the winner alone.
 *
 * <pre>
 *   examples   1 2 3 | 4 5 6 7 | 8 9 10 11 12 …
 *   plan a     x x x | x x x x | x x x  x  x      the promise
 *   plan b     x x x | x x x x |
 *   plan c     x x x |
 * </pre>
 *
 * <p>Plans are ranked by their estimates and their measurements together ({@link UncertainPlan}).
 * The promise is the mean over the examples of the winner alone: neither the search nor the
 * comparison depends on them, so the mean has no selection bias.
 *
 * <p>The state is a function of the samples. A restart continues with the runs that are missing.
 */
public final class PlanRace {

  /** Fraction of the runs that compares plans. */
  private static final double COMPARING = 0.4;

  /** Fraction of the winner's runs after which another plan may replace it. */
  private static final double FIRST_PART = 0.6;

  private static final int FEWEST_ALONE = 2;

  /**
   * The conditions of a race.
   *
   * @param examples examples that the search did not use, in the order in which to use them
   * @param runs number of runs of a plan on an example
   * @param boundProbability probability with which a bound has to hold
   * @param tolerance difference in quality up to which the cheaper plan wins
   */
  public record Conditions(
      Objective objective,
      List<ValidationExample> examples,
      int runs,
      double boundProbability,
      double tolerance) {

    public Conditions {
      examples = List.copyOf(examples);
    }
  }

  /**
   * The outcome of the runs so far.
   *
   * @param missing samples that are needed next; empty if the race is finished
   * @param winner the best plan so far with its measured estimate, or its estimate before
   * @param promise null if the winner was not run alone
   */
  public record Outcome(
      List<PlanConfirmation.MissingSample> missing,
      PlanChoice winner,
      @Nullable PlanPromise promise) {}

  private final PlanReplay replay;
  private final Conditions conditions;
  private final Objective objective;

  /**
   * @param walkable ids of the operators that a single document reaches
   * @param beliefs estimates of all implementations, by operator id
   */
  public PlanRace(
      ProgramSnapshot view,
      Set<String> walkable,
      Map<String, Map<Arm, Belief>> beliefs,
      Conditions conditions) {
    this.replay = new PlanReplay(view, walkable, beliefs);
    this.conditions = conditions;
    this.objective = conditions.objective();
  }

  /** Evaluates the runs so far. */
  public Outcome run(List<UncertainPlan> plans) {
    int most = conditions.examples().size();
    int comparing = (int) (COMPARING * Math.min(conditions.runs(), most * plans.size()));
    List<UncertainPlan> left = plans;
    int from = 0;
    while (left.size() > 1) {
      int rounds = 32 - Integer.numberOfLeadingZeros(left.size() - 1);
      int runs = Math.min(comparing / rounds / left.size(), (most - from) / 2);
      List<PlanConfirmation.MissingSample> missing = missing(left, from, from + runs);
      if (!missing.isEmpty()) {
        return new Outcome(missing, best(left, from).plan(), null);
      }
      comparing -= runs * left.size();
      from += runs;
      left = better(left, from);
    }
    return alone(plans, left.getFirst(), from);
  }

  /**
   * Runs the winner alone. If its bounds do not hold by the first part of the runs, the best plan
   * whose bounds do gets the rest.
   */
  private Outcome alone(List<UncertainPlan> plans, UncertainPlan winner, int from) {
    int runs =
        Math.min(conditions.runs() - spent(plans, from), conditions.examples().size() - from);
    int first = objective.bounds().isEmpty() ? runs : (int) Math.ceil(FIRST_PART * runs);
    List<PlanConfirmation.MissingSample> missing = missing(List.of(winner), from, from + first);
    if (!missing.isEmpty()) {
      return outcome(missing, winner, from, from + first);
    }
    UncertainPlan next = winner;
    if (!holds(winner.with(measured(winner, 0, from + first)))) {
      List<UncertainPlan> others =
          plans.stream()
              .filter(plan -> !plan.equals(winner) && holds(plan.with(measured(plan, 0, from))))
              .toList();
      next = others.isEmpty() ? winner : best(others, from);
    }
    int to = next.equals(winner) ? from + runs : from + runs - first;
    return outcome(missing(List.of(next), from, to), next, from, to);
  }

  private boolean holds(UncertainPlan plan) {
    return plan.probability(objective) >= conditions.boundProbability();
  }

  /** Number of runs that compared plans. */
  private int spent(List<UncertainPlan> plans, int to) {
    int spent = 0;
    for (UncertainPlan plan : plans) {
      for (ValidationExample example : conditions.examples().subList(0, to)) {
        spent += replay.actual(plan.plan(), example).complete() ? 1 : 0;
      }
    }
    return spent;
  }

  private List<PlanConfirmation.MissingSample> missing(
      List<UncertainPlan> plans, int from, int to) {
    Set<PlanConfirmation.MissingSample> missing = new LinkedHashSet<>();
    for (ValidationExample example : conditions.examples().subList(from, to)) {
      for (UncertainPlan plan : plans) {
        PlanReplay.Missing step = replay.actual(plan.plan(), example).missing();
        if (step != null) {
          missing.add(new PlanConfirmation.MissingSample(step, example.id()));
        }
      }
    }
    return List.copyOf(missing);
  }

  /** The better half. */
  private List<UncertainPlan> better(List<UncertainPlan> plans, int to) {
    List<UncertainPlan> left = new ArrayList<>(plans);
    List<UncertainPlan> better = new ArrayList<>();
    while (better.size() < (plans.size() + 1) / 2) {
      UncertainPlan best = best(left, to);
      better.add(best);
      left.remove(best);
    }
    return better;
  }

  /** The best plan by its estimate and its runs on the first examples. */
  private UncertainPlan best(List<UncertainPlan> plans, int to) {
    record Ranked(UncertainPlan before, UncertainPlan after) {}
    List<Ranked> ranked =
        plans.stream().map(plan -> new Ranked(plan, plan.with(measured(plan, 0, to)))).toList();
    List<Ranked> holding = ranked.stream().filter(one -> holds(one.after())).toList();
    if (holding.isEmpty()) {
      return ranked.stream()
          .max(Comparator.comparingDouble(one -> one.after().probability(objective)))
          .orElseThrow()
          .before();
    }
    Comparator<Ranked> target =
        Comparator.comparingDouble(one -> {
          double mean = one.after().get(objective.target()).mean();
          return objective.target() == Dimension.QUALITY ? -mean : mean;
        });
    Ranked best = holding.stream().min(target).orElseThrow();
    if (objective.target() != Dimension.QUALITY) {
      return best.before();
    }
    double enough = best.after().get(Dimension.QUALITY).mean() - conditions.tolerance();
    return holding.stream()
        .filter(one -> one.after().get(Dimension.QUALITY).mean() >= enough)
        .min(
            Comparator.<Ranked>comparingDouble(one -> one.after().get(Dimension.COST).mean())
                .thenComparingDouble(one -> one.after().get(Dimension.LATENCY).mean()))
        .orElse(best)
        .before();
  }

  private Map<Dimension, MeasuredMean> measured(UncertainPlan plan, int from, int to) {
    List<PlanReplay.Result> runs =
        conditions.examples().subList(from, to).stream()
            .map(example -> replay.actual(plan.plan(), example))
            .filter(PlanReplay.Result::complete)
            .toList();
    Map<Dimension, MeasuredMean> measured = new EnumMap<>(Dimension.class);
    if (!runs.isEmpty()) {
      measured.put(
          Dimension.QUALITY, MeasuredMean.ofScores(values(runs, PlanReplay.Result::quality)));
      measured.put(Dimension.COST, MeasuredMean.ofAmounts(values(runs, PlanReplay.Result::cost)));
      measured.put(
          Dimension.LATENCY, MeasuredMean.ofAmounts(values(runs, PlanReplay.Result::latency)));
    }
    return measured;
  }

  private static double[] values(
      List<PlanReplay.Result> runs, ToDoubleFunction<PlanReplay.Result> metric) {
    return runs.stream().mapToDouble(metric).toArray();
  }

  private Outcome outcome(
      List<PlanConfirmation.MissingSample> missing, UncertainPlan winner, int from, int to) {
    Map<Dimension, MeasuredMean> alone = measured(winner, from, to);
    MeasuredMean quality = alone.get(Dimension.QUALITY);
    MeasuredMean cost = alone.get(Dimension.COST);
    MeasuredMean latency = alone.get(Dimension.LATENCY);
    if (quality == null || cost == null || latency == null || quality.count() < FEWEST_ALONE) {
      return new Outcome(missing, winner.plan(), null);
    }
    UncertainPlan known = winner.with(measured(winner, 0, to));
    Map<String, Double> bounds = new TreeMap<>();
    objective
        .bounds()
        .forEach(bound -> bounds.put(bound.dimension().label(), known.probability(bound)));
    PlanPromise promise =
        new PlanPromise(
            quality.count(),
            quality.range(),
            cost.range(),
            latency.range(),
            conditions.boundProbability(),
            bounds,
            samplesToSettle(known, alone));
    return new Outcome(
        missing,
        new PlanChoice(
            winner.plan().steps(), new Estimate(quality.mean(), cost.mean(), latency.mean())),
        promise);
  }

  /** Further runs until the least likely bound holds, if the present means are right. */
  private @Nullable Integer samplesToSettle(
      UncertainPlan plan, Map<Dimension, MeasuredMean> alone) {
    double z = Quantiles.normal(conditions.boundProbability());
    Integer most = null;
    for (Bound bound : objective.bounds()) {
      UncertainPlan.Value value = plan.get(bound.dimension());
      MeasuredMean measured = alone.get(bound.dimension());
      double margin = Math.abs(value.mean() - bound.limit());
      if (plan.probability(bound) >= conditions.boundProbability() || measured == null) {
        continue;
      }
      if (!bound.holds(value.mean())) {
        return null;
      }
      double needed = Math.max(1e-9, margin / z);
      double variance = measured.error() * measured.error() * measured.count();
      double precision = 1 / (needed * needed) - 1 / (value.deviation() * value.deviation());
      int more = (int) Math.ceil(Math.min(1e6, variance * Math.max(0, precision)));
      most = most == null ? more : Math.max(most, more);
    }
    return most;
  }
}
