package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.memo.Combination;
import dev.abacus.optimizer.memo.Group;
import dev.abacus.optimizer.memo.LogicalExpression;
import dev.abacus.optimizer.memo.PhysicalExpression;
import java.util.List;

/**
 * Puts the implementations of an expression on top of every survivor of the group below it (paper,
 * section 3.2); all implementations at once, since together most are dropped at a glance.
 */
record OptimizePhysicalExpression(
    Group group, LogicalExpression expression, List<PhysicalExpression> implementations)
    implements Task {

  @Override
  public void perform(Search search) {
    Group input = expression.input();
    group.offer(new Combination(input.subplans(), implementations, input.error()));
  }
}
