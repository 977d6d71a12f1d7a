package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.SemanticAggregation;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;

/**
 * A semantic aggregate as model calls (paper, section 4.1). Parameters: model.
 *
 * <pre>{@code
 *                the documents of a group
 * aggregate ==>    |
 *                model m, in several parts if they exceed its context
 * }</pre>
 *
 * <p>Preserves meaning: the model reads every document of the group.
 */
final class ImplementAggregateWithModel implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof Aggregate && operator.isSemantic();
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return choices.perModel(SemanticAggregation::new);
  }
}
