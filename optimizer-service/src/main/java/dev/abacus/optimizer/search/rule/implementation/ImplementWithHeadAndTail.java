package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;

/**
 * A map or filter over the beginning and the end of long texts. Parameters: model × characters
 * kept. Not in the paper. Contracts, for example, name their parties first and are signed last.
 *
 * <pre>{@code
 *                   first c/2 characters … last c/2 characters
 * map, filter  ==>    |
 *                   one call of model m
 * }</pre>
 *
 * <p>Preserves meaning: the task and the form of the answer stay the same. Information lost with
 * the middle lowers the measured quality.
 */
final class ImplementWithHeadAndTail implements ImplementationRule {

  private static final List<Integer> KEPT_CHARACTERS = List.of(4_000, 16_000);

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap || operator instanceof SemanticFilter;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return choices.perModel(KEPT_CHARACTERS, PhysicalOperator.HeadAndTail::new);
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
