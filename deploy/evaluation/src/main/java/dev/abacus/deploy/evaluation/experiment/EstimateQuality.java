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
    double bias, List<Double> biasInterval, @Nullable Double coverage, @Nullable Double width) {

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
    int stated = 0;
    int covered = 0;
    double widths = 0;
    for (TrialResult run : runs) {
      List<Double> ends = run.interval().get(dimension.label());
      if (ends != null) {
        stated++;
        double truth = run.truth().get(dimension);
        covered += ends.getFirst() <= truth && truth <= ends.getLast() ? 1 : 0;
        widths += (ends.getLast() - ends.getFirst()) / unit(dimension, run);
      }
    }
    return new EstimateQuality(
        Summary.mean(errors),
        Summary.interval(errors),
        stated == 0 ? null : Double.valueOf((double) covered / stated),
        stated == 0 ? null : Double.valueOf(widths / stated));
  }

  private static double unit(Dimension dimension, TrialResult run) {
    double truth = run.truth().get(dimension);
    return dimension == Dimension.QUALITY || truth == 0 ? 1 : truth;
  }
}
