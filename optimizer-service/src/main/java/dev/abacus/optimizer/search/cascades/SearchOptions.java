package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.schemas.objective.Dimension;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.EnumSet;
import java.util.Set;

/**
 * Options of a search.
 *
 * @param frontierDimensions dimensions that the returned frontier spans in addition to those of the
 *     objective; more dimensions make it larger
 */
@RecordBuilder
public record SearchOptions(
    Algorithm algorithm,
    CostModel costModel,
    InfeasiblePolicy infeasiblePolicy,
    Set<Dimension> frontierDimensions)
    implements SearchOptionsBuilder.With {

  /** Pareto-Cascades with selectivities. */
  public static final SearchOptions DEFAULT =
      new SearchOptions(
          Algorithm.PARETO, CostModel.SELECTIVITY, InfeasiblePolicy.BEST_TARGET, Set.of());

  /** All dimensions, for {@link #withFrontierDimensions}. */
  public static final Set<Dimension> ALL_DIMENSIONS = Set.copyOf(EnumSet.allOf(Dimension.class));
}
