package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import java.util.List;

/**
 * A join of two branches of one document.
 *
 * <pre>{@code
 * join  ==>  nothing to do: the branches run one after the other
 * }</pre>
 *
 * <p>Meaning is preserved: both branches carry the same document, and its fields stand side by
 * side.
 */
public final class ImplementMerge implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof Merge;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return List.of(new PhysicalOperator.Relational());
  }
}
