package dev.abacus.optimizer.loop.wholeplan;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Correction factors for one metric of whole plans: the relative differences between runs of whole
 * plans and the cost model, one per plan and example, shrunk towards 0.
 *
 * <p>Plans with the same implementations upstream give their readers the same inputs. So a plan's
 * difference is estimated as that of all such plans plus its own deviation from them. Each part is
 * shrunk by the positive-part James–Stein estimator, so that noise does not change the order of
 * plans.
 */
public final class EstimateCorrection {

  /** A mean counts only if its square exceeds this many squared standard errors. */
  private static final double SHRINKAGE = 2;

  /** Prior variance of the differences, and its weight in samples. */
  private static final double PRIOR_VARIANCE = 0.02;

  private static final double PRIOR_WEIGHT = 2;

  private final Map<String, Double> byWriters = new HashMap<>();
  private final Map<String, Double> byPlan = new HashMap<>();

  private EstimateCorrection() {}

  /**
   * Estimates the factors.
   *
   * @param differences relative differences, by the implementations upstream, then by the plan's
   *     signature
   */
  static EstimateCorrection of(Map<String, Map<String, List<Double>>> differences) {
    EstimateCorrection correction = new EstimateCorrection();
    new TreeMap<>(differences).forEach(correction::add);
    return correction;
  }

  private void add(String writers, Map<String, List<Double>> plans) {
    List<Double> all = new TreeMap<>(plans).values().stream().flatMap(Collection::stream).toList();
    double shared = shrunk(all);
    byWriters.put(writers, shared);
    plans.forEach((plan, values) ->
        byPlan.put(
            plan,
            plans.size() == 1
                ? shared
                : shared + shrunk(values.stream().map(value -> value - shared).toList())));
  }

  /** The factor for the cost model's estimate; at least 0; 1 for a plan without measurements. */
  double factor(String writers, String plan) {
    return Math.max(0, 1 + byPlan.getOrDefault(plan, byWriters.getOrDefault(writers, 0.0)));
  }

  /** The positive-part James–Stein estimate of the mean. */
  public static double shrunk(List<Double> values) {
    int n = values.size();
    double mean = values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    if (n == 0 || mean == 0) {
      return 0;
    }
    double squares = values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
    double variance = (PRIOR_WEIGHT * PRIOR_VARIANCE + squares) / (PRIOR_WEIGHT + n - 1);
    return mean * Math.max(0, 1 - SHRINKAGE * variance / (n * mean * mean));
  }
}
