package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import java.util.List;

/**
 * A map or filter over several documents in one call: model × size of the batch. Beyond the paper:
 * the instruction is paid for once.
 *
 * <pre>{@code
 *                   document 1 … document n
 * map, filter ==>     |
 *                   one call of model m: answer 1 … answer n
 * }</pre>
 *
 * <p>Meaning is preserved: each document gets an answer of its own in the form asked for; one that
 * is missing or invalid is asked for alone. A map that makes any number of outputs is left out,
 * since its answers could not be told apart.
 */
public final class ImplementWithTupleBatch implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticFilter
        || (operator instanceof SemanticMap map && map.cardinality() == Cardinality.ONE);
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return Techniques.tupleBatch(choices);
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
