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
 * Combines all implementations of an expression with the frontier of its input group (paper,
 * section 3.2). For a join of two streams, the input is the frontier of pairs of subplans of both
 * sides.
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
    GroupFrontier pairs = search.frontierOfPairs();
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
