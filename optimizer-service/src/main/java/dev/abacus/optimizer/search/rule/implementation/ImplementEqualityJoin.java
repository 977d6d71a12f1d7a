package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.StreamJoin;
import java.util.List;

/**
 * A join of two streams on equal keys alone.
 *
 * <pre>{@code
 * join  ==>  pairs within the window with equal keys
 * }</pre>
 *
 * <p>Meaning is preserved: there is one way to compare keys, exact and free.
 */
public final class ImplementEqualityJoin implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof StreamJoin && !operator.isSemantic();
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return List.of(new PhysicalOperator.Relational());
  }
}
