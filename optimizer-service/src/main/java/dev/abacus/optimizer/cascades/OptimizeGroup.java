package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.memo.Group;

/** Finds all expressions of a group and the survivors among its subplans; once per group. */
record OptimizeGroup(Group group) implements Task {

  @Override
  public void perform(Search search) {
    if (search.isFirstVisit(group)) {
      group
          .logicalExpressions()
          .forEach(expression -> search.push(new OptimizeLogicalExpression(group, expression)));
    }
  }
}
