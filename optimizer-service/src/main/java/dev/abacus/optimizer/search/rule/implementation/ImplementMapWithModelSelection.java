package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;

/**
 * A map as a single call of one model, for every model.
 *
 * <pre>{@code
 * map    ==>    one call of model m over the whole input
 * }</pre>
 *
 * <p>Meaning is preserved: the model is told the whole task and the whole input, and its answer is
 * the fields that it writes. How well it does is its quality.
 */
public final class ImplementMapWithModelSelection implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return Techniques.modelSelection(choices);
  }
}
