package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.List;

/**
 * A filter as a single call of one model, for every model.
 *
 * <pre>{@code
 * filter    ==>    one call of model m over the whole input
 * }</pre>
 *
 * <p>Meaning is preserved: the model is told the whole task and the whole input, and its answer is
 * yes or no. How well it does is its quality.
 */
public final class ImplementFilterWithModelSelection implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticFilter;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return Techniques.modelSelection(choices);
  }
}
