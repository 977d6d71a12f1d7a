package dev.abacus.deploy.evaluation.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.Range;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What many trials come to.
 *
 * @param oracleQuality of the best plan, to who knows the truth; as its cost and latency
 * @param regret by how much the chosen plans fall short of the best one in the objective's target,
 *     on average, in the target's unit
 * @param relativeRegret regret ÷ the best plan's value
 * @param feasibleShare of the trials: those whose plan meets every bound in truth
 * @param regretIfInfeasibleIsWorthless as regret, a plan that breaks a bound counted as quality 0;
 *     the same as regret for other targets
 * @param boundKept share of the plans that the search states as feasible that are feasible; null if
 *     there is none or the objective has no bound
 * @param estimate bias and coverage of the published estimates, by dimension
 * @param calls mean numbers of model calls
 * @param confidence 95 % intervals by the names of the figures above
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Summary(
    int seeds,
    double meanTrueQuality,
    double meanTrueCost,
    double meanTrueLatency,
    double oracleQuality,
    double oracleCost,
    double oracleLatency,
    double regret,
    double relativeRegret,
    double regretIfInfeasibleIsWorthless,
    double feasibleShare,
    @Nullable Double boundKept,
    double meanSamples,
    double meanSpentUsd,
    Calls calls,
    Map<String, EstimateQuality> estimate,
    Map<String, List<Double>> confidence) {

  /** Standard errors from a mean to the ends of its 95 % interval. */
  private static final double DEVIATIONS = 1.959964;

  /** Mean numbers of model calls; see {@link TrialResult.Calls}. */
  record Calls(double made, double shared) {}

  static Summary of(ExperimentSettings settings, List<TrialResult> runs) {
    Estimate oracle = PlanValue.oracle(settings);
    Dimension target = settings.objective().target();
    double best = oracle.get(target);
    int sign = target == Dimension.QUALITY ? 1 : -1;
    double[] regrets = values(runs, run -> sign * (best - value(run, target)));
    double[] strict =
        values(
            runs,
            run ->
                target == Dimension.QUALITY && !run.feasible()
                    ? best
                    : sign * (best - value(run, target)));
    double[] qualities = values(runs, TrialResult::trueQuality);
    double feasible = mean(values(runs, run -> run.feasible() ? 1 : 0));
    Map<String, List<Double>> confidence = new TreeMap<>();
    confidence.put("meanTrueQuality", interval(qualities));
    confidence.put("regret", interval(regrets));
    confidence.put("regretIfInfeasibleIsWorthless", interval(strict));
    confidence.put("feasibleShare", interval(feasible, runs.size()));
    List<TrialResult> believed =
        settings.objective().bounds().isEmpty()
            ? List.of()
            : runs.stream().filter(TrialResult::believedFeasible).toList();
    double kept = mean(values(believed, run -> run.feasible() ? 1 : 0));
    if (!believed.isEmpty()) {
      confidence.put("boundKept", interval(kept, believed.size()));
    }
    return new Summary(
        runs.size(),
        mean(qualities),
        mean(values(runs, TrialResult::trueCost)),
        mean(values(runs, TrialResult::trueLatency)),
        oracle.quality(),
        oracle.cost(),
        oracle.latency(),
        mean(regrets),
        best == 0 ? 0 : mean(regrets) / best,
        mean(strict),
        feasible,
        believed.isEmpty() ? null : Double.valueOf(kept),
        mean(values(runs, TrialResult::samples)),
        mean(values(runs, TrialResult::spentUsd)),
        new Calls(
            mean(values(runs, run -> run.calls().made())),
            mean(values(runs, run -> run.calls().shared()))),
        EstimateQuality.of(runs),
        confidence);
  }

  private static double value(TrialResult run, Dimension dimension) {
    return run.truth().get(dimension);
  }

  private static double[] values(List<TrialResult> runs, ToDoubleFunction<TrialResult> value) {
    return runs.stream().mapToDouble(value).toArray();
  }

  /** The mean of trials; 0 without any. */
  static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(0);
  }

  /** The ends of the 95 % interval of the mean of at least one trial. */
  static List<Double> interval(double[] values) {
    double mean = mean(values);
    double squares = Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum();
    Range around = Range.ofMean(values.length, 0, squares, DEVIATIONS);
    return List.of(mean + around.lowest(), mean + around.highest());
  }

  private static List<Double> interval(double share, int trials) {
    Range range = Range.ofShare(share * trials, trials, DEVIATIONS);
    return List.of(range.lowest(), range.highest());
  }
}
