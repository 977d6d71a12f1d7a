package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;

/**
 * An aggregate without an instruction as what it is.
 *
 * <pre>{@code
 * aggregate  ==>  count, sum, avg, min, max
 * }</pre>
 *
 * <p>Meaning is preserved: there is one way to compute these, exact and free.
 */
public final class ImplementRelationalAggregate implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof Aggregate && !operator.isSemantic();
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return List.of(new PhysicalOperator.Relational());
  }
}
