package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.TupleBatch;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;

/**
 * A map or filter over several documents in one call. Parameters: model × batch size in documents.
 * Not in the paper. The instruction is paid for once per batch.
 *
 * <pre>{@code
 *                   document 1 … document n
 * map, filter  ==>    |
 *                   one call of model m: answer 1 … answer n
 * }</pre>
 *
 * <p>Preserves meaning: each document gets its own answer in the form asked for. A document whose
 * answer is missing or invalid is asked for alone. Does not fire on a one-to-many map: its answers
 * could not be assigned to documents.
 */
final class ImplementWithTupleBatch implements ImplementationRule {

  private static final List<Integer> BATCH_SIZES = List.of(4, 16);

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticFilter
        || (operator instanceof SemanticMap map
            && map.cardinality() == SemanticMap.Cardinality.ONE);
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return choices.perModel(BATCH_SIZES, TupleBatch::new);
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
