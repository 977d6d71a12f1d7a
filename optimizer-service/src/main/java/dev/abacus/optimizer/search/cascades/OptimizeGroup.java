package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.LogicalExpression;

/** One phase of the work on a group; each phase runs once (paper, section 3.1). */
record OptimizeGroup(Group group, Phase phase) implements Task {

  /** The phases, in order. */
  enum Phase {
    /** Find the logical expressions with a worthwhile operator on top. */
    EXPLORE,
    /** Explore the groups below it. */
    DESCEND,
    /** Find the frontier of subplans. */
    IMPLEMENT
  }

  @Override
  public void perform(CascadesSearch search) {
    switch (phase) {
      case EXPLORE -> explore(search);
      case DESCEND -> descend(search);
      case IMPLEMENT -> implement(search);
    }
  }

  private void explore(CascadesSearch search) {
    if (search.isFirstExploration(group) && !group.key().isEmpty()) {
      search.push(new OptimizeGroup(group, Phase.DESCEND));
      search.push(new OptimizeLogicalExpression(group, search.memo().asWritten(group)));
    }
  }

  private void descend(CascadesSearch search) {
    for (LogicalExpression expression : search.worthImplementing(group)) {
      pushBelow(search, expression, Phase.EXPLORE);
    }
  }

  private void implement(CascadesSearch search) {
    if (search.isFirstImplementation(group)) {
      for (LogicalExpression expression : search.worthImplementing(group)) {
        search.push(new ApplyRule(group, expression, ApplyRule.Implementation.ALL));
        pushBelow(search, expression, Phase.IMPLEMENT);
      }
    }
  }

  private static void pushBelow(CascadesSearch search, LogicalExpression expression, Phase phase) {
    if (expression.right() != null) {
      search.push(new OptimizeGroup(expression.right(), phase));
    }
    search.push(new OptimizeGroup(expression.input(), phase));
  }
}
