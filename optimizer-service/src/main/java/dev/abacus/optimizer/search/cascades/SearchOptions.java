package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.schemas.objective.Dimension;
import java.util.EnumSet;
import java.util.Set;

/**
 * Options of a search.
 *
 * @param frontierDimensions dimensions that the returned frontier spans in addition to those of the
 *     objective; more dimensions make it larger
 * @param frontierBeyondBounds whether the frontier includes plans that break a bound; dropping them
 *     early is faster
 */
public record SearchOptions(
    Algorithm algorithm,
    CostModel costModel,
    InfeasiblePolicy infeasiblePolicy,
    Set<Dimension> frontierDimensions,
    boolean frontierBeyondBounds) {

  /** Pareto-Cascades with selectivities. */
  public static final SearchOptions DEFAULT =
      new SearchOptions(
          Algorithm.PARETO, CostModel.SELECTIVITY, InfeasiblePolicy.BEST_TARGET, Set.of(), false);

  /** All dimensions, for {@link #withFrontierDimensions}. */
  public static final Set<Dimension> ALL_DIMENSIONS = Set.copyOf(EnumSet.allOf(Dimension.class));

  public SearchOptions {
    frontierDimensions = Set.copyOf(frontierDimensions);
  }

  public SearchOptions withAlgorithm(Algorithm other) {
    return new SearchOptions(
        other, costModel, infeasiblePolicy, frontierDimensions, frontierBeyondBounds);
  }

  public SearchOptions withCostModel(CostModel other) {
    return new SearchOptions(
        algorithm, other, infeasiblePolicy, frontierDimensions, frontierBeyondBounds);
  }

  public SearchOptions withInfeasiblePolicy(InfeasiblePolicy other) {
    return new SearchOptions(algorithm, costModel, other, frontierDimensions, frontierBeyondBounds);
  }

  public SearchOptions withFrontierDimensions(Set<Dimension> other) {
    return new SearchOptions(algorithm, costModel, infeasiblePolicy, other, frontierBeyondBounds);
  }

  SearchOptions withFrontierBeyondBounds(boolean other) {
    return new SearchOptions(algorithm, costModel, infeasiblePolicy, frontierDimensions, other);
  }
}
