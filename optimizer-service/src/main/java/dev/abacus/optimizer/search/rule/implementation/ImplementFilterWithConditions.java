package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.ConditionByCondition;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.List;

/**
 * A conjunctive filter as one call per condition. Parameters: model. Not in the paper. Most
 * documents fail an early condition, which saves the remaining calls.
 *
 * <pre>{@code
 *              condition 1 ──yes──► condition 2 ──yes──► … ──yes──► kept
 * filter  ==>      no                   no
 *                dropped              dropped
 * }</pre>
 *
 * <p>Preserves meaning: a document is kept if and only if every condition holds. Does not fire on a
 * filter with one condition.
 */
final class ImplementFilterWithConditions implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticFilter filter && filter.conditions().size() > 1;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return choices.perModel(ConditionByCondition::new);
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
