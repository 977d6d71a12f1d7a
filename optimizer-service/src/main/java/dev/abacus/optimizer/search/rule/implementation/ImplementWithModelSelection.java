package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;

/**
 * A map or filter as one call of one model (paper, section 4.1). Parameters: model.
 *
 * <pre>{@code
 * map, filter  ==>  one call of model m over the whole input
 * }</pre>
 *
 * <p>Preserves meaning: the model gets the whole task and the whole input, and answers in the form
 * that the operator asks for.
 */
final class ImplementWithModelSelection implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap || operator instanceof SemanticFilter;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return choices.perModel(ModelSelection::new);
  }
}
