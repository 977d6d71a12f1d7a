package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;

/**
 * A map or filter over the beginning and the end of long texts: model × characters kept. Beyond the
 * paper: contracts name their parties first and are signed last.
 *
 * <pre>{@code
 *                   first half of c characters … last half
 * map, filter ==>     |
 *                   one call of model m
 * }</pre>
 *
 * <p>Meaning is preserved: task and form of the answer stay; what the middle would have told shows
 * in its quality.
 */
public final class ImplementWithHeadAndTail implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap || operator instanceof SemanticFilter;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return Techniques.headAndTail(choices);
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
