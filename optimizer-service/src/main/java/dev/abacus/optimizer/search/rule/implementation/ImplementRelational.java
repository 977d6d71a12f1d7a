package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;

/**
 * An operator that needs no model: projection, limit, relational aggregate, join on equal keys,
 * merge of branches. No parameters.
 *
 * <pre>{@code
 * operator  ==>  the relational operator
 * }</pre>
 *
 * <p>Preserves meaning: the result is exact. Does not fire on semantic operators.
 */
final class ImplementRelational implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return !operator.isSemantic();
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return List.of(new Relational());
  }
}
