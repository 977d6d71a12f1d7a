package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Project;
import java.util.List;

/**
 * A projection as what it is.
 *
 * <pre>{@code
 * project   ==>   drop all fields but those named
 * }</pre>
 *
 * <p>Meaning is preserved: there is one way to drop fields, exact and free.
 */
public final class ImplementProject implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof Project;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return List.of(new PhysicalOperator.Relational());
  }
}
