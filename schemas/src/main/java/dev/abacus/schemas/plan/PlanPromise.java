package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.objective.Dimension;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a plan is expected to do, after it was run on validation examples that the search did not
 * use.
 *
 * @param examples number of those examples
 * @param quality in [0, 1], with its 95 % interval
 * @param cost USD per source document
 * @param latency seconds per source document
 * @param level required probability of each bound
 * @param bounds probability that each bound holds, by the name of its dimension; empty without
 *     bounds
 * @param samplesToSettle further samples that would settle the bound that is least likely to hold,
 *     if its present mean is right; null if all bounds hold, or if the mean itself misses a bound
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlanPromise(
    int examples,
    Range quality,
    Range cost,
    Range latency,
    double level,
    Map<String, Double> bounds,
    @Nullable Integer samplesToSettle) {

  public PlanPromise {
    bounds = Collections.unmodifiableMap(new TreeMap<>(bounds == null ? Map.of() : bounds));
    if (examples < 1 || !(level > 0 && level < 1)) {
      throw new IllegalArgumentException("%d examples, level %s".formatted(examples, level));
    }
  }

  /** The mean and interval of a dimension. */
  public Range get(Dimension dimension) {
    return switch (dimension) {
      case QUALITY -> quality;
      case COST -> cost;
      case LATENCY -> latency;
    };
  }

  /** Whether every bound holds with the required probability. */
  public boolean holds() {
    return bounds.values().stream().allMatch(probability -> probability >= level);
  }
}
