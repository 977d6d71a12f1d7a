package dev.abacus.deploy.evaluation.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.Estimate;
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
    Map<String, TrialInterval> confidence) {

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
    double feasible = TrialInterval.mean(values(runs, run -> run.feasible() ? 1 : 0));
    Map<String, TrialInterval> confidence = new TreeMap<>();
    confidence.put("meanTrueQuality", TrialInterval.ofMean(qualities));
    confidence.put("regret", TrialInterval.ofMean(regrets));
    confidence.put("regretIfInfeasibleIsWorthless", TrialInterval.ofMean(strict));
    confidence.put("feasibleShare", TrialInterval.ofShare(feasible, runs.size()));
    List<TrialResult> believed =
        settings.objective().bounds().isEmpty()
            ? List.of()
            : runs.stream().filter(TrialResult::believedFeasible).toList();
    double kept = TrialInterval.mean(values(believed, run -> run.feasible() ? 1 : 0));
    if (!believed.isEmpty()) {
      confidence.put("boundKept", TrialInterval.ofShare(kept, believed.size()));
    }
    return new Summary(
        runs.size(),
        TrialInterval.mean(qualities),
        TrialInterval.mean(values(runs, TrialResult::trueCost)),
        TrialInterval.mean(values(runs, TrialResult::trueLatency)),
        oracle.quality(),
        oracle.cost(),
        oracle.latency(),
        TrialInterval.mean(regrets),
        best == 0 ? 0 : TrialInterval.mean(regrets) / best,
        TrialInterval.mean(strict),
        feasible,
        believed.isEmpty() ? null : Double.valueOf(kept),
        TrialInterval.mean(values(runs, TrialResult::samples)),
        TrialInterval.mean(values(runs, TrialResult::spentUsd)),
        new Calls(
            TrialInterval.mean(values(runs, run -> run.calls().made())),
            TrialInterval.mean(values(runs, run -> run.calls().shared()))),
        EstimateQuality.of(runs),
        confidence);
  }

  private static double value(TrialResult run, Dimension dimension) {
    return run.truth().get(dimension);
  }

  private static double[] values(List<TrialResult> runs, ToDoubleFunction<TrialResult> value) {
    return runs.stream().mapToDouble(value).toArray();
  }
}
