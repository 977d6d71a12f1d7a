package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.cost.CostModel;
import dev.abacus.optimizer.memo.Group;
import dev.abacus.optimizer.memo.PhysicalExpression;
import dev.abacus.optimizer.memo.Subplan;
import dev.abacus.optimizer.pareto.MetricVector;

/** Puts an expression on top of every survivor of the group below it (paper, section 3.2). */
record OptimizePhysicalExpression(Group group, PhysicalExpression expression) implements Task {

  @Override
  public void perform(Search search) {
    for (Subplan input : expression.logical().input().subplans()) {
      MetricVector metrics = CostModel.after(input.metrics(), expression.perInput());
      if (group.mayTake(metrics)) {
        group.offer(Subplan.of(expression, input, metrics));
      }
    }
  }
}
