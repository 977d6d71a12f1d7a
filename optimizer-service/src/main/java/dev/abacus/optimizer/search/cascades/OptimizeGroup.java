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
    if (search.isFirstExploration(group)) {
      search.push(new OptimizeGroup(group, Phase.DESCEND));
      for (LogicalExpression expression : search.memo().asWritten(group)) {
        search.push(new OptimizeLogicalExpression(group, expression));
      }
    }
  }

  private void descend(CascadesSearch search) {
    pushSides(search, Phase.EXPLORE);
    for (LogicalExpression expression : search.worthImplementing(group)) {
      expression.inputs().forEach(input -> search.push(new OptimizeGroup(input, Phase.EXPLORE)));
    }
  }

  private void implement(CascadesSearch search) {
    if (search.isFirstImplementation(group)) {
      group.sides().forEach(pair -> search.push(new OfferSides(group, pair)));
      pushSides(search, Phase.IMPLEMENT);
      for (LogicalExpression expression : search.worthImplementing(group)) {
        search.push(new ApplyRule(group, expression, ApplyRule.Implementation.ALL));
        expression
            .inputs()
            .forEach(input -> search.push(new OptimizeGroup(input, Phase.IMPLEMENT)));
      }
    }
  }

  private void pushSides(CascadesSearch search, Phase phase) {
    for (Group.Sides pair : group.sides()) {
      search.push(new OptimizeGroup(pair.left(), phase));
      search.push(new OptimizeGroup(pair.right(), phase));
    }
  }

  /** Combines the frontiers of two sides. */
  record OfferSides(Group group, Group.Sides pair) implements Task {

    @Override
    public void perform(CascadesSearch search) {
      group.offer(pair);
    }
  }
}
