package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.rule.TransformationRule;
import dev.abacus.optimizer.search.rule.transformation.TransformationRules;

/**
 * Applies every transformation rule to an expression over each of those expressions below it that
 * have an operator on top which is worth having on top here. Implementation rules come once all
 * groups are explored, from {@link OptimizeGroup}.
 */
record OptimizeLogicalExpression(Group group, LogicalExpression expression) implements Task {

  @Override
  public void perform(CascadesSearch search) {
    for (int top : search.tops(group)) {
      if (top != expression.position()) {
        LogicalExpression below = search.memo().expression(expression.input(), top);
        for (TransformationRule rule : TransformationRules.ALL) {
          search.push(new ApplyRule(group, expression, new ApplyRule.Transformation(rule, below)));
        }
      }
    }
  }
}
