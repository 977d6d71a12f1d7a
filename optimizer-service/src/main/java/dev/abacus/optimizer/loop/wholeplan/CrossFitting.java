package dev.abacus.optimizer.loop.wholeplan;

import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.loop.input.SampleRequest;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PlanPromise;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Promises a plan where the examples are too few to hold some back: cross-fitting (Chernozhukov et
 * al. 2018, section 3). The search uses all examples. Then each fold gets the plan that the search
 * would choose without the samples on its examples, and that plan is run on them. So no run is part
 * of the reason for its choice. The mean difference between these runs and the estimates of their
 * plans tells by how much such choices are overrated; the estimate of the plan that is chosen by
 * all samples is corrected by it.
 *
 * @param replay with the estimates of all implementations by all samples
 * @param boundProbability probability with which a bound has to hold
 */
public record CrossFitting(PlanReplay replay, List<Fold> folds, double boundProbability) {

  /** Number of folds. */
  public static final int FOLDS = 4;

  /**
   * A fold.
   *
   * @param plan chosen without the examples of the fold
   */
  public record Fold(UncertainPlan plan, List<ValidationExample> examples) {}

  private static final double LEAST = 1e-12;

  private record Run(UncertainPlan plan, PlanReplay.Result result) {}

  /** The samples that the runs need next, those of one example of each fold in turn. */
  public List<SampleRequest> missing() {
    Set<SampleRequest> missing = new LinkedHashSet<>();
    int most = folds.stream().mapToInt(fold -> fold.examples().size()).max().orElse(0);
    for (int i = 0; i < most; i++) {
      for (Fold fold : folds) {
        if (i < fold.examples().size()) {
          ValidationExample example = fold.examples().get(i);
          SampleRequest step = replay.actual(fold.plan().plan(), example).missing();
          if (step != null) {
            missing.add(step);
          }
        }
      }
    }
    return List.copyOf(missing);
  }

  /** The promise of the plan that all samples choose; none if most examples were not run. */
  public PlanRace.Outcome outcome(UncertainPlan winner) {
    List<Run> runs = runs();
    int examples = folds.stream().mapToInt(fold -> fold.examples().size()).sum();
    if (2 * runs.size() <= examples) {
      return new PlanRace.Outcome(winner.plan(), null);
    }
    Map<Dimension, UncertainPlan.Value> values = new EnumMap<>(Dimension.class);
    values.put(Dimension.QUALITY, quality(winner, runs));
    values.put(Dimension.COST, amount(winner, runs, Dimension.COST, run -> run.result().cost()));
    values.put(
        Dimension.LATENCY, amount(winner, runs, Dimension.LATENCY, run -> run.result().latency()));
    UncertainPlan known =
        new UncertainPlan(winner.plan(), values, runs.size() - 1, winner.samples());
    List<String> unknown = replay.beliefs().unknownOutputs(winner.plan());
    PlanPromise promise =
        known.promise(
            replay.view().program().objective(),
            boundProbability,
            unknown,
            runs.size(),
            folds.size());
    return new PlanRace.Outcome(known.promised(promise), promise);
  }

  private List<Run> runs() {
    List<Run> runs = new ArrayList<>();
    for (Fold fold : folds) {
      for (ValidationExample example : fold.examples()) {
        PlanReplay.Result result = replay.actual(fold.plan().plan(), example);
        if (result.complete()) {
          runs.add(new Run(fold.plan(), result));
        }
      }
    }
    return runs;
  }

  private static UncertainPlan.Value quality(UncertainPlan winner, List<Run> runs) {
    MeasuredMean scores =
        MeasuredMean.ofScores(runs.stream().mapToDouble(run -> run.result().quality()).toArray());
    double overrated =
        runs.stream()
            .mapToDouble(run -> run.plan().get(Dimension.QUALITY).mean() - run.result().quality())
            .average()
            .orElse(0);
    double mean = winner.get(Dimension.QUALITY).mean() - overrated;
    double others = unexplained(winner, runs, plan -> plan.get(Dimension.QUALITY).deviation());
    return new UncertainPlan.Value(
        Math.clamp(mean, 0, 1), Loadings.own(Math.hypot(scores.error(), others)));
  }

  /** Plans of folds may differ much in cost, so runs are compared with estimates as ratios. */
  private UncertainPlan.Value amount(
      UncertainPlan winner, List<Run> runs, Dimension dimension, ToDoubleFunction<Run> measured) {
    MeasuredMean ratios =
        MeasuredMean.ofAmounts(
            runs.stream()
                .mapToDouble(run -> {
                  double expected = run.plan().get(dimension).mean();
                  return expected > 0 ? measured.applyAsDouble(run) / expected : 1;
                })
                .toArray());
    double mean = winner.get(dimension).mean();
    double others =
        unexplained(
            winner,
            runs,
            plan -> plan.get(dimension).deviation() / Math.max(LEAST, plan.get(dimension).mean()));
    double unseen = Math.hypot(others, replay.view().unseenDeviation(winner.plan().allSteps()));
    return new UncertainPlan.Value(
        mean * ratios.mean(), Loadings.own(mean * Math.hypot(ratios.error(), unseen)));
  }

  /**
   * The deviation of the difference between the estimate of the winner and those of the plans that
   * were run instead of it. Runs of the winner itself correct the error of its estimate; runs of
   * other plans do not.
   */
  private static double unexplained(
      UncertainPlan winner, List<Run> runs, ToDoubleFunction<UncertainPlan> deviation) {
    Map<String, Double> shares = new HashMap<>();
    Map<String, Double> deviations = new HashMap<>();
    for (Run run : runs) {
      String plan = run.plan().plan().signature();
      shares.merge(plan, 1.0 / runs.size(), Double::sum);
      deviations.merge(plan, deviation.applyAsDouble(run.plan()), Math::max);
    }
    double of = 1 - shares.getOrDefault(winner.plan().signature(), 0.0);
    deviations.put(winner.plan().signature(), deviation.applyAsDouble(winner));
    shares.put(winner.plan().signature(), of);
    double variance = 0;
    for (Map.Entry<String, Double> share : shares.entrySet()) {
      double part = share.getValue() * Objects.requireNonNull(deviations.get(share.getKey()));
      variance += part * part;
    }
    return Math.sqrt(variance);
  }
}
