package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.ListwiseRanking;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticRank;
import java.util.List;

/**
 * A rank that orders windows of items (RankGPT). Parameters: model × size of the window.
 *
 * <pre>{@code
 *            for each window, from the end of the list to its beginning:
 * rank ==>     model m: order the items
 *            again, until the items to keep are in order
 * }</pre>
 *
 * <p>Preserves meaning: if every window is in the right order, the kept items are.
 */
final class ImplementRankWithWindows implements ImplementationRule {

  private static final List<Integer> WINDOWS = List.of(10, ListwiseRanking.WIDE);

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
    return choices.perModel(WINDOWS, ListwiseRanking::new);
  }
}
