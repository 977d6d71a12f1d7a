package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.rule.TransformationRule;
import dev.abacus.optimizer.search.rule.transformation.TransformationRules;

/**
 * Applies every transformation rule to an expression over those expressions of its input group
 * whose operator is worthwhile on top of this group too. {@link OptimizeGroup} applies the
 * implementation rules after all groups are explored.
 */
record OptimizeLogicalExpression(Group group, LogicalExpression expression) implements Task {

  @Override
  public void perform(CascadesSearch search) {
    for (int root : search.roots(group)) {
      if (root != expression.position()) {
        LogicalExpression below = search.memo().expression(expression.input(), root);
        for (TransformationRule rule : TransformationRules.ALL) {
          search.push(new ApplyRule(group, expression, new ApplyRule.Transformation(rule, below)));
        }
      }
    }
  }
}
