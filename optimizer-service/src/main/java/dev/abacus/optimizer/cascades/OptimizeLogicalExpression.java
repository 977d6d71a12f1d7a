package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.memo.Group;
import dev.abacus.optimizer.memo.LogicalExpression;
import dev.abacus.optimizer.rule.TransformationRule;
import dev.abacus.optimizer.rule.transformation.TransformationRules;

/**
 * Applies every transformation rule to an expression. The group below is explored first, since
 * transformations look at all of its expressions. Implementation rules come once the whole group is
 * explored, from {@link OptimizeGroup}.
 */
record OptimizeLogicalExpression(Group group, LogicalExpression expression) implements Task {

  @Override
  public void perform(Search search) {
    for (TransformationRule rule : TransformationRules.ALL) {
      search.push(new ApplyRule(group, expression, new ApplyRule.Transformation(rule)));
    }
    search.push(new OptimizeGroup(expression.input(), OptimizeGroup.Phase.EXPLORE));
  }
}
