package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.StreamJoin;
import java.util.List;

/**
 * A join that asks a model about every pair, which reasons before it answers. Parameters: model,
 * how it reasons.
 *
 * <pre>{@code
 *           for each document, for each item:
 * join ==>    model m: reasoning, does the condition hold?
 * }</pre>
 *
 * <p>Preserves meaning: as {@link ImplementJoinWithNestedLoops}.
 */
final class ImplementJoinWithReasoning implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof ReferenceJoin
        || (operator instanceof StreamJoin join && join.condition() != null);
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return choices.perReasoning(NestedLoopsJoin::new);
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
