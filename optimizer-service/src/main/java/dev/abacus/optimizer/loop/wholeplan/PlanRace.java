package dev.abacus.optimizer.loop.wholeplan;

import dev.abacus.optimizer.loop.input.SampleRequest;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Quantiles;
import dev.abacus.schemas.plan.Spread;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Measures the best plans end to end on examples that the search did not use. First the finalists
 * run on the same examples, then the better two on further examples (successive halving; Jamieson
 * and Talwalkar 2016), then the best one alone. A plan that would be better if its bounds were
 * known to hold is run until most of the runs are spent.
 *
 * <pre>
 *   examples   1 2 3 | 4 5 6 7 | 8 9 10 11 12 …
 *   plan a     x x x | x x x x | x x x  x  x
 *   plan b     x x x | x x x x |
 *   plan c     x x x |
 * </pre>
 *
 * <p>The policy takes the runs as further samples of the plans' implementations. So they correct
 * the estimates of all plans, and after each part another plan may be the best, which then runs on
 * the same examples from the first on. At the end, a plan that was run stays the best one unless it
 * is {@linkplain UncertainPlan#isShownWorse shown} to be worse than one that was not.
 *
 * <p>The state is a function of the samples. A restart continues with the runs that are missing.
 *
 * @param replay with the estimates of all implementations
 */
public record PlanRace(PlanReplay replay, Conditions conditions) {

  /** Fraction of the runs that compares plans. */
  private static final double COMPARING = 0.4;

  /** Fraction of the runs after which only the winner is run. */
  private static final double CHALLENGING = 0.7;

  /** With fewer runs left, the best plan gets all of them at once. */
  private static final int LEAST_PART = 3;

  /** A plan with fewer runs is not promised. */
  private static final int FEWEST_RUNS = 2;

  /**
   * The conditions of a race.
   *
   * @param examples examples that the search did not use, in the order in which to use them
   * @param runs number of runs, each of a plan on an example, that the budget is meant for
   * @param before number of runs so far
   * @param most largest number of runs, whatever the budget
   * @param heldBack share of further examples, in (0, 1), that the search does not use
   * @param boundProbability probability with which a bound has to hold
   */
  public record Conditions(
      List<ValidationExample> examples,
      int runs,
      int before,
      int most,
      double heldBack,
      double boundProbability) {}

  /**
   * The plans that are measured.
   *
   * @param winner the plan to promise, by all samples and runs so far
   * @param begun the plan of the implementations that were run most; the winner if that is shown to
   *     be worse
   * @param promising a plan that would win if its bounds were known to hold; null if there is none
   * @param others the best first
   */
  public record Finalists(
      UncertainPlan winner,
      UncertainPlan begun,
      @Nullable UncertainPlan promising,
      List<UncertainPlan> others) {}

  /**
   * The outcome of the runs.
   *
   * @param winner with its measured estimate, or its estimate before
   * @param promise null if the winner was not run
   */
  public record Outcome(PlanChoice winner, @Nullable PlanPromise promise) {}

  /**
   * The samples that are needed next. After the last run, a winner that is not confirmed gets the
   * fewest runs that confirm it, for which the budget may have room.
   */
  public List<SampleRequest> missing(Finalists finalists) {
    int left = conditions.runs() - conditions.before();
    if (left <= 0) {
      return isConfirmed(finalists.winner().plan())
          ? List.of()
          : missing(List.of(next(finalists)), Math.min(conditions.examples().size(), FEWEST_RUNS));
    }
    List<UncertainPlan> field = new ArrayList<>();
    UncertainPlan promising = finalists.promising();
    boolean comparing = conditions.before() < COMPARING * conditions.runs();
    if (promising != null && conditions.before() < CHALLENGING * conditions.runs()) {
      field.add(promising);
    }
    if (comparing) {
      field.add(finalists.winner());
    } else if (field.isEmpty()) {
      field.add(next(finalists));
    }
    if (comparing) {
      field.addAll(finalists.others());
      int plans = conditions.before() == 0 ? field.size() : 2;
      field = field.subList(0, Math.min(plans, field.size()));
    }
    int each =
        comparing
            ? (int) Math.max(1, COMPARING * conditions.runs() / 2 / field.size())
            : Math.max(Math.min(left, LEAST_PART), left / 2);
    int from = field.stream().mapToInt(this::runs).min().orElse(0);
    return missing(field, Math.min(conditions.examples().size(), from + each));
  }

  /**
   * The plan to run alone. Where many implementations are alike, the winner is another one after
   * nearly each sample, so the runs that are begun are completed until there is a plan to promise.
   */
  private UncertainPlan next(Finalists finalists) {
    return Stream.of(finalists.winner(), finalists.begun())
            .map(UncertainPlan::plan)
            .anyMatch(this::isConfirmed)
        ? finalists.winner()
        : finalists.begun();
  }

  /** Whether a plan has enough runs for a promise. */
  public boolean isConfirmed(PlanChoice plan) {
    return conditions.examples().stream()
            .filter(example -> replay.actual(plan, example).complete())
            .limit(FEWEST_RUNS)
            .count()
        == FEWEST_RUNS;
  }

  /**
   * The operators whose implementations were not run together on the first example that a plan was
   * not run on. Runs begin with the first examples, so no plan that has the same ones has enough.
   *
   * @return ids; empty if the plan is confirmed
   */
  public Set<String> notRunTogether(PlanChoice plan) {
    if (isConfirmed(plan)) {
      return Set.of();
    }
    List<LogicalOperator> steps = plan.steps().stream().map(PlanStep::logical).toList();
    return conditions.examples().stream()
        .map(example -> replay.actual(plan, example).missing())
        .filter(Objects::nonNull)
        .findFirst()
        .map(missing -> ReachedOperators.deciding(steps, missing.operator()))
        .orElseGet(
            () -> steps.stream().map(LogicalOperator::id).collect(Collectors.toUnmodifiableSet()));
  }

  /** Number of examples, the first ones, that a plan was run on. */
  private int runs(UncertainPlan plan) {
    int count = 0;
    while (count < conditions.examples().size()
        && replay.actual(plan.plan(), conditions.examples().get(count)).complete()) {
      count++;
    }
    return count;
  }

  private List<SampleRequest> missing(List<UncertainPlan> plans, int to) {
    Set<SampleRequest> missing = new LinkedHashSet<>();
    for (int i = 0; i < conditions.examples().size(); i++) {
      ValidationExample example = conditions.examples().get(i);
      for (UncertainPlan plan : plans) {
        SampleRequest step = replay.actual(plan.plan(), example).missing();
        if (step != null && i < inFullCalls(step.physical(), to)) {
          missing.add(step);
        }
      }
    }
    return List.copyOf(missing);
  }

  /** Number of examples of a step for some runs: a call for several documents is used for all. */
  private static int inFullCalls(PhysicalOperator step, int runs) {
    int size = step.documentsPerCall();
    return (runs + size - 1) / size * size;
  }

  private Map<Dimension, MeasuredMean> measured(PlanChoice plan) {
    List<PlanReplay.Result> runs =
        conditions.examples().stream()
            .map(example -> replay.actual(plan, example))
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

  /** The promise of the winner. */
  public Outcome outcome(UncertainPlan winner) {
    Map<Dimension, MeasuredMean> runs = measured(winner.plan());
    MeasuredMean quality = runs.get(Dimension.QUALITY);
    if (quality == null || !isConfirmed(winner.plan())) {
      return new Outcome(winner.plan(), null);
    }
    UncertainPlan known = winner.weighed(runs);
    List<String> unknown = replay.beliefs().unknownOutputs(winner.plan());
    PlanPromise stated =
        known.promise(
            replay.view().program().objective(),
            conditions.boundProbability(),
            unknown,
            quality.count(),
            null);
    Integer more = samplesToSettle(known, runs, stated.bounds().keySet());
    int inAll = conditions.before() + (more == null ? 0 : more);
    if (more == null || inAll > conditions.most()) {
      PlanPromise promise = stated.with(quality.range(), null, null, null);
      return new Outcome(known.promised(promise), promise);
    }
    int missing = more - (conditions.examples().size() - quality.count());
    PlanPromise promise =
        stated.with(
            quality.range(),
            more,
            missing > 0 ? Integer.valueOf((int) Math.ceil(missing / conditions.heldBack())) : null,
            inAll > conditions.runs() && conditions.runs() > 0
                ? Double.valueOf((double) inAll / conditions.runs())
                : null);
    return new Outcome(known.promised(promise), promise);
  }

  /** Further runs until the least likely bound holds, if the present means are right. */
  private @Nullable Integer samplesToSettle(
      UncertainPlan plan, Map<Dimension, MeasuredMean> runs, Set<String> known) {
    double z = Quantiles.normal(conditions.boundProbability());
    Integer most = null;
    for (Bound bound : replay.view().program().objective().bounds()) {
      UncertainPlan.Value value = plan.get(bound.dimension());
      MeasuredMean measured = runs.get(bound.dimension());
      double margin = Math.abs(value.mean() - bound.limit());
      if (plan.probability(bound) >= conditions.boundProbability()
          || measured == null
          || !known.contains(bound.dimension().label())) {
        continue;
      }
      if (!bound.holds(value.mean())) {
        return null;
      }
      double needed = Math.max(1e-9, margin / z);
      double variance = measured.error() * measured.error() * measured.count();
      double precision = 1 / (needed * needed) - 1 / (value.deviation() * value.deviation());
      double samples = Math.ceil(variance * Math.max(0, precision));
      if (samples > Spread.MOST_TO_SETTLE) {
        return null;
      }
      int more = (int) samples;
      most = most == null ? more : Math.max(most, more);
    }
    return most;
  }
}
