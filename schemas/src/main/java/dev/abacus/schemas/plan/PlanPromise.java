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
 * @param together probability that all bounds hold together; null with fewer than two bounds
 * @param samplesToSettle further samples that would settle the bound that is least likely to hold,
 *     if its present mean is right; null if all bounds hold, or if the mean itself misses a bound
 * @param unknownOutputs ids of the operators over several documents whose number of outputs is
 *     neither stated nor measured; then cost has no interval, and a bound on it no probability
 * @param folds number of folds, if the examples are too few to hold some back: the choice of each
 *     fold was made without its examples; null if examples were held back
 * @param runs quality in the runs on held-back examples alone, with its 95 % interval; null if none
 *     were held back
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlanPromise(
    int examples,
    Range quality,
    Range cost,
    Range latency,
    double level,
    Map<String, Double> bounds,
    @Nullable Double together,
    @Nullable Integer samplesToSettle,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> unknownOutputs,
    @Nullable Integer folds,
    @Nullable Range runs) {

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

  /** With the quality in the runs alone, and the samples that would settle the bounds. */
  public PlanPromise with(Range ofRuns, @Nullable Integer toSettle) {
    return new PlanPromise(
        examples,
        quality,
        cost,
        latency,
        level,
        bounds,
        together,
        toSettle,
        unknownOutputs,
        folds,
        ofRuns);
  }

  /** Whether all bounds hold together with the required probability. */
  public boolean holds() {
    return (together == null || together >= level)
        && bounds.values().stream().allMatch(probability -> probability >= level);
  }
}
