package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.StreamJoin;
import java.util.List;

/**
 * A join that asks a model about every pair (paper, section 4.1). Parameters: model.
 *
 * <pre>{@code
 *           for each document, for each item:
 * join ==>    model m: does the condition hold?
 * }</pre>
 *
 * <p>Preserves meaning: the model evaluates the condition on every pair.
 */
final class ImplementJoinWithNestedLoops implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof ReferenceJoin
        || (operator instanceof StreamJoin join && join.condition() != null);
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return choices.perModel(NestedLoopsJoin::new);
  }
}
