package dev.abacus.optimizer.search.cascades;

import dev.abacus.schemas.objective.Dimension;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A {@link SearchResult} with implementations given by id. */
public record NamedSearchResult(
    NamedPlan chosen,
    boolean feasible,
    List<NamedPlan> frontier,
    SearchStatistics statistics,
    Map<Dimension, Double> violations) {

  public NamedSearchResult {
    frontier = List.copyOf(frontier);
    violations = Collections.unmodifiableMap(new TreeMap<>(violations));
  }
}
