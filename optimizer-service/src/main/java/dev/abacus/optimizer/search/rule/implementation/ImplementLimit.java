package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;

/**
 * A limit as what it is.
 *
 * <pre>{@code
 * limit  ==>  count, and drop the rest
 * }</pre>
 *
 * <p>Meaning is preserved: there is one way to count, exact and free.
 */
public final class ImplementLimit implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof Limit;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return List.of(new PhysicalOperator.Relational());
  }
}
