package dev.abacus.optimizer.memo;

import dev.abacus.optimizer.pareto.MetricVector;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;

/**
 * A logical expression with an implementation for its operator.
 *
 * @param physical id of the implementation
 * @param perInput what it does with one input; its cardinality is the selectivity
 */
public record PhysicalExpression(
    LogicalExpression logical, String physical, MetricVector perInput) {

  /** If a filter, how many maps come before it: work that it could have saved. */
  int mapsBelow() {
    return switch (logical.operator()) {
      case SemanticFilter _ -> logical.input().maps();
      case SemanticMap _, Project _ -> 0;
    };
  }
}
