package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PointwiseRanking;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticRank;
import java.util.List;

/**
 * A rank that grades every item on its own. Parameters: model.
 *
 * <pre>{@code
 *            for each item:
 * rank ==>     model m: how well does it meet the criterion?
 *            order by grade
 * }</pre>
 *
 * <p>Preserves meaning: a better item has a higher grade.
 */
final class ImplementRankWithGrades implements ImplementationRule {

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
    return choices.perModel(PointwiseRanking::new);
  }
}
