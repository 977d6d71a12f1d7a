package dev.abacus.deploy.evaluation.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.objective.Dimension;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How well the published estimates of one dimension match the truth.
 *
 * @param bias mean of estimate − truth; for cost and latency relative to the truth
 * @param biasInterval 95 % interval of {@code bias}
 * @param coverage share of the published 95 % intervals that contain the truth; null if no run
 *     published one
 * @param width mean width of the intervals; for cost and latency relative to the truth; null like
 *     {@code coverage}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record EstimateQuality(
    double bias, TrialInterval biasInterval, @Nullable Double coverage, @Nullable Double width) {

  /** By dimension, in the order quality, cost, latency. */
  static Map<String, EstimateQuality> of(List<TrialResult> runs) {
    Map<String, EstimateQuality> all = new LinkedHashMap<>();
    for (Dimension dimension : Dimension.values()) {
      all.put(dimension.label(), of(dimension, runs));
    }
    return all;
  }

  private static EstimateQuality of(Dimension dimension, List<TrialResult> runs) {
    double[] errors =
        runs.stream()
            .mapToDouble(run ->
                (run.estimate().get(dimension) - run.truth().get(dimension)) / unit(dimension, run))
            .toArray();
    List<TrialResult> stated =
        runs.stream().filter(run -> run.interval().containsKey(dimension.label())).toList();
    return new EstimateQuality(
        TrialInterval.mean(errors),
        TrialInterval.ofMean(errors),
        stated.isEmpty()
            ? null
            : Double.valueOf(
                stated.stream()
                        .filter(run ->
                            run.interval()
                                .get(dimension.label())
                                .contains(run.truth().get(dimension)))
                        .count()
                    / (double) stated.size()),
        stated.isEmpty()
            ? null
            : Double.valueOf(
                stated.stream()
                    .mapToDouble(
                        run -> run.interval().get(dimension.label()).width() / unit(dimension, run))
                    .average()
                    .orElse(0)));
  }

  private static double unit(Dimension dimension, TrialResult run) {
    double truth = run.truth().get(dimension);
    return dimension == Dimension.QUALITY || truth == 0 ? 1 : truth;
  }
}
