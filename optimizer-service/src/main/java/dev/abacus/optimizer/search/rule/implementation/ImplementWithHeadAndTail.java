package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.HeadAndTail;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;

/**
 * A map or filter over the beginning and the end of long texts. Parameters: model × tokens kept.
 * Not in the paper. Contracts, for example, name their parties first and are signed last.
 *
 * <pre>{@code
 *                   first t/2 tokens … last t/2 tokens
 * map, filter  ==>    |
 *                   one call of model m
 * }</pre>
 *
 * <p>Preserves meaning: the task and the form of the answer stay the same. Information lost with
 * the middle lowers the measured quality.
 */
final class ImplementWithHeadAndTail implements ImplementationRule {

  private static final List<Integer> KEPT_TOKENS = List.of(1_280, 5_120);

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap || operator instanceof SemanticFilter;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return choices.perModel(KEPT_TOKENS, HeadAndTail::new);
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
