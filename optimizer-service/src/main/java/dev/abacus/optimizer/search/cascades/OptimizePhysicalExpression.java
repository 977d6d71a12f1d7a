package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.CrossProduct;
import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import java.util.List;

/**
 * Combines all implementations of an expression with the frontier of its input group (paper,
 * section 3.2).
 */
record OptimizePhysicalExpression(
    Group group, LogicalExpression expression, List<PhysicalExpression> implementations)
    implements Task {

  @Override
  public void perform(CascadesSearch search) {
    Group input = expression.input();
    Group branches = expression.branches();
    double error = branches == null ? 0 : branches.error();
    group.offer(
        new CrossProduct(input.subplans(), implementations, (1 + input.error()) * (1 + error) - 1));
  }
}
