package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.GroupKey;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.rule.TransformationRule;
import dev.abacus.optimizer.search.rule.transformation.TransformationRules;

/**
 * Applies every transformation rule to an expression over those expressions of its input group
 * whose operator is worthwhile on top of this group too, and adds the other ways to divide
 * operators into those of branches and those below. {@link OptimizeGroup} applies the
 * implementation rules after all groups are explored.
 */
record OptimizeLogicalExpression(Group group, LogicalExpression expression) implements Task {

  @Override
  public void perform(CascadesSearch search) {
    for (int root : search.roots(group)) {
      if (search.isDivided(root)) {
        search.memo().expressions(group, root);
      }
      if (root != expression.position() && isBelow(root)) {
        for (LogicalExpression below : search.memo().expressions(expression.input(), root)) {
          for (TransformationRule rule : TransformationRules.ALL) {
            search.push(
                new ApplyRule(group, expression, new ApplyRule.Transformation(rule, below)));
          }
        }
      }
    }
  }

  private boolean isBelow(int root) {
    GroupKey below = expression.input().key();
    return below.chain() == group.key().chain() && below.contains(root);
  }
}
