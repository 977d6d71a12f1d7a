package dev.abacus.optimizer.loop.wholeplan;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * By how much whole plans depart from the product of their parts in one metric: relative
 * differences between walks as they went and as the cost model saw them, one per plan and example.
 *
 * <p>Plans whose writers are the same feed their readers the same, so what was seen of one tells of
 * the others: a plan's departure is that of its writers, and what it departs from these by itself.
 * Either counts as far as it stands out of its noise (a positive-part James–Stein estimate), so
 * that chance does not overturn the order of plans that do not differ.
 */
public final class EstimateCorrection {

  /** Squared standard errors that a departure must exceed to count at all. */
  private static final double DOUBT = 2;

  /** Variance that differences are taken to have before any is seen, and its weight in samples. */
  private static final double PRIOR_VARIANCE = 0.02;

  private static final double PRIOR_WEIGHT = 2;

  private final Map<String, Double> byWriters = new HashMap<>();
  private final Map<String, Double> byPlan = new HashMap<>();

  /**
   * @param differences by writers, then by plan's signature
   */
  EstimateCorrection(Map<String, Map<String, List<Double>>> differences) {
    new TreeMap<>(differences)
        .forEach((writers, plans) -> {
          List<Double> all =
              new TreeMap<>(plans).values().stream().flatMap(Collection::stream).toList();
          double shared = shrunk(all);
          byWriters.put(writers, shared);
          plans.forEach((plan, values) ->
              byPlan.put(
                  plan,
                  plans.size() == 1
                      ? shared
                      : shared + shrunk(values.stream().map(value -> value - shared).toList())));
        });
  }

  /** What the product is to be multiplied by; 1 where nothing is known. At least 0. */
  double factor(String writers, String plan) {
    return Math.max(0, 1 + byPlan.getOrDefault(plan, byWriters.getOrDefault(writers, 0.0)));
  }

  public static double shrunk(List<Double> values) {
    int n = values.size();
    double mean = values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    if (n == 0 || mean == 0) {
      return 0;
    }
    double squares = values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
    double variance = (PRIOR_WEIGHT * PRIOR_VARIANCE + squares) / (PRIOR_WEIGHT + n - 1);
    return mean * Math.max(0, 1 - DOUBT * variance / (n * mean * mean));
  }
}
