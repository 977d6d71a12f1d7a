package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;

/**
 * A map or filter as one call of one model that reasons before it answers. Parameters: model, how
 * it reasons.
 *
 * <pre>{@code
 * map, filter  ==>  the whole input  →  model m: reasoning, answer
 * }</pre>
 *
 * <p>Preserves meaning: as {@link ImplementWithModelSelection}; the output does not contain the
 * reasoning.
 */
final class ImplementWithReasoning implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap || operator instanceof SemanticFilter;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return choices.perReasoning(ModelSelection::new);
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
