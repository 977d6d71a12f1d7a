package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.memo.Group;
import dev.abacus.optimizer.memo.LogicalExpression;
import dev.abacus.optimizer.rule.TransformationRule;
import dev.abacus.optimizer.rule.transformation.TransformationRules;

/**
 * Applies every rule to an expression. The group below comes first: transformations look at all of
 * its expressions, and implementations build on its final survivors.
 */
record OptimizeLogicalExpression(Group group, LogicalExpression expression) implements Task {

  @Override
  public void perform(Search search) {
    search.push(new ApplyRule(group, expression, new ApplyRule.Implementation()));
    for (TransformationRule rule : TransformationRules.ALL) {
      search.push(new ApplyRule(group, expression, new ApplyRule.Transformation(rule)));
    }
    search.push(new OptimizeGroup(expression.input()));
  }
}
