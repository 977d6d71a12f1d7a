package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PairwiseRanking;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticRank;
import java.util.List;

/**
 * A rank that compares items in pairs (LOTUS). Parameters: model.
 *
 * <pre>{@code
 *            quickselect and quicksort, where
 * rank ==>     model m: which of two items is better?
 * }</pre>
 *
 * <p>Preserves meaning: if every comparison is right, the kept items are in the right order.
 */
final class ImplementRankWithComparisons implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticRank;
  }

  @Override
  public boolean isInPaper() {
    return false;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return choices.perModel(PairwiseRanking::new);
  }
}
