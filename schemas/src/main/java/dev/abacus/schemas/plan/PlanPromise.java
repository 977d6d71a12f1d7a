package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import io.soabase.recordbuilder.core.RecordBuilder;
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
 * @param examplesToSettle how many examples have to be added for these samples, of which the search
 *     gets most; null if enough are left
 * @param budgetToSettle how many times as large the search budget has to be for these samples, of
 *     which the search gets most; null if it suffices
 * @param unknownOutputs ids of the operators over several documents whose number of outputs is
 *     neither stated nor measured; then cost has no interval, and a bound on it no probability
 * @param folds number of folds, if the examples are too few to hold some back: the choice of each
 *     fold was made without its examples; null if examples were held back
 * @param runs quality in the runs on held-back examples alone, with its 95 % interval; null if none
 *     were held back
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@RecordBuilder
public record PlanPromise(
    int examples,
    Range quality,
    Range cost,
    Range latency,
    double level,
    Map<String, Double> bounds,
    @Nullable Double together,
    @Nullable Integer samplesToSettle,
    @Nullable Integer examplesToSettle,
    @Nullable Double budgetToSettle,
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

  /**
   * With the quality in the runs alone, and what would settle the bounds.
   *
   * @param samples further samples of the plan; null if none would
   * @param more examples that have to be added for them; null if there are enough
   * @param budget how many times as large the budget has to be for them; null if it suffices
   */
  public PlanPromise with(
      Range ofRuns, @Nullable Integer samples, @Nullable Integer more, @Nullable Double budget) {
    return PlanPromiseBuilder.builder(this)
        .samplesToSettle(samples)
        .examplesToSettle(more)
        .budgetToSettle(budget)
        .runs(ofRuns)
        .build();
  }

  /**
   * The same measurement with the bounds of another objective.
   *
   * @param choice the plan, with its spread
   */
  public PlanPromise towards(Objective objective, PlanChoice choice) {
    Spread spread = choice.spread();
    Map<String, Double> others = new TreeMap<>();
    if (spread != null) {
      for (Bound bound : objective.bounds()) {
        Double probability = spread.probability(choice.estimate(), bound);
        if (probability != null) {
          others.put(bound.dimension().label(), probability);
        }
      }
    }
    return PlanPromiseBuilder.builder(this)
        .bounds(others)
        .together(
            spread == null || others.size() < 2
                ? null
                : Double.valueOf(spread.probability(choice.estimate(), objective.bounds())))
        .samplesToSettle(null)
        .examplesToSettle(null)
        .budgetToSettle(null)
        .build();
  }

  /**
   * How the plan stands towards the objective that it was measured for.
   *
   * @param choice the plan, with its spread
   */
  public Standing standing(Objective objective, PlanChoice choice) {
    return Standing.of(
        objective,
        choice.estimate(),
        level,
        bound -> bounds.get(bound.dimension().label()),
        together,
        settles(objective, choice));
  }

  /** What would settle the bounds, as a clause; null if nothing is known to. */
  private @Nullable String settles(Objective objective, PlanChoice choice) {
    if (!unknownOutputs.isEmpty()) {
      return "the number of outputs of '%s' is not known"
          .formatted(String.join("', '", unknownOutputs));
    }
    if (samplesToSettle != null) {
      return Standing.settling(samplesToSettle, examplesToSettle, budgetToSettle, cost.mean());
    }
    Spread spread = choice.spread();
    Integer samples =
        folds == null || spread == null
            ? null
            : Standing.toSettle(objective, choice.estimate(), spread, level);
    if (spread == null || samples == null) {
      return null;
    }
    // An implementation is sampled once on each example.
    int missing = samples - Math.max(0, examples - spread.samples());
    return Standing.settling(
        samples, missing > 0 ? Integer.valueOf(missing) : null, null, cost.mean());
  }
}
