package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.List;

/**
 * A conjunctive filter one condition at a time: model. Beyond the paper: most documents fail early,
 * and are asked no more.
 *
 * <pre>{@code
 *               condition 1 ──yes──► condition 2 ──yes──► … ──yes──► kept
 * filter ==>        no                   no
 *                 dropped              dropped
 * }</pre>
 *
 * <p>Meaning is preserved: a document is kept if and only if every condition holds.
 */
public final class ImplementFilterWithConditions implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticFilter filter && filter.conditions().size() > 1;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return Techniques.conditionByCondition(choices);
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
