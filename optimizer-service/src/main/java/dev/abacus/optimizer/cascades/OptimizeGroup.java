package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.memo.Group;
import dev.abacus.optimizer.memo.LogicalExpression;

/** Does one phase of the work on a group, once. */
record OptimizeGroup(Group group, Phase phase) implements Task {

  /** What is to be done with a group. */
  enum Phase {
    /** Find all its logical expressions; the group above needs them for its transformations. */
    EXPLORE,
    /** Find its surviving subplans; comes after exploring. */
    IMPLEMENT
  }

  @Override
  public void perform(Search search) {
    switch (phase) {
      case EXPLORE -> explore(search);
      case IMPLEMENT -> implement(search);
    }
  }

  private void explore(Search search) {
    if (search.isFirstExploration(group)) {
      group
          .logicalExpressions()
          .forEach(expression -> search.push(new OptimizeLogicalExpression(group, expression)));
    }
  }

  private void implement(Search search) {
    if (!search.isExplored(group)) {
      search.push(this);
      search.push(new OptimizeGroup(group, Phase.EXPLORE));
    } else if (search.isFirstImplementation(group)) {
      for (LogicalExpression expression : search.worthImplementing(group)) {
        search.push(new ApplyRule(group, expression, new ApplyRule.Implementation()));
        search.push(new OptimizeGroup(expression.input(), Phase.IMPLEMENT));
      }
    }
  }
}
