package dev.abacus.optimizer.search.cascades;

import dev.abacus.schemas.objective.Dimension;
import java.util.List;
import java.util.Map;

/** A {@link SearchResult} with implementations given by id. */
public record NamedSearchResult(
    NamedPlan chosen,
    boolean feasible,
    List<NamedPlan> frontier,
    SearchStatistics statistics,
    Map<Dimension, Double> violations) {}
