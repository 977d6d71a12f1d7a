package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.memo.CrossProduct;
import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.GroupFrontier;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.memo.Subplan;
import java.util.List;

/**
 * Puts the implementations of an expression on top of every survivor of the group below it (paper,
 * section 3.2); all implementations at once, since together most are dropped at a glance. A join of
 * two streams goes on top of what survives of their pairs.
 */
record OptimizePhysicalExpression(
    Group group, LogicalExpression expression, List<PhysicalExpression> implementations)
    implements Task {

  @Override
  public void perform(CascadesSearch search) {
    Group input = expression.input();
    Group right = expression.right();
    if (right == null) {
      group.offer(new CrossProduct(input.subplans(), implementations, input.error()));
      return;
    }
    GroupFrontier pairs = search.survivorsOfPairs();
    for (Subplan one : input.subplans()) {
      for (Subplan other : right.subplans()) {
        pairs.offer(Subplan.sides(one, other, CostModel.beside(one.metrics(), other.metrics())));
      }
    }
    double error = Math.max(input.error(), right.error());
    group.offer(
        new CrossProduct(pairs.subplans(), implementations, (1 + error) * (1 + pairs.error()) - 1));
  }
}
