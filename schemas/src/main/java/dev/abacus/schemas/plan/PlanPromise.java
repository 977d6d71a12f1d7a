package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.objective.Dimension;
import java.util.Collections;
import java.util.List;
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
 * @param unknownOutputs ids of the operators over several documents whose number of outputs is
 *     neither stated nor measured; then cost has no interval, and a bound on it no probability
 * @param folds number of folds, if the examples are too few to hold some back: the choice of each
 *     fold was made without its examples; null if examples were held back
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlanPromise(
    int examples,
    Range quality,
    Range cost,
    Range latency,
    double level,
    Map<String, Double> bounds,
    @Nullable Integer samplesToSettle,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> unknownOutputs,
    @Nullable Integer folds) {

  public PlanPromise {
    unknownOutputs = unknownOutputs == null ? List.of() : List.copyOf(unknownOutputs);
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
