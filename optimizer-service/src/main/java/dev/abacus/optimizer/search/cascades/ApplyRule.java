package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.optimizer.search.rule.TransformationRule;
import java.util.ArrayList;
import java.util.List;

/** Applies a rule to an expression, at most once per search (paper, section 3.1). */
record ApplyRule(Group group, LogicalExpression expression, Applicable rule) implements Task {

  /** A rule, ready to be applied. */
  sealed interface Applicable {
    void apply(Group group, LogicalExpression expression, CascadesSearch search);
  }

  /** A transformation rule, with the expression of the input group that it matches. */
  record Transformation(TransformationRule rule, LogicalExpression below) implements Applicable {

    @Override
    public void apply(Group group, LogicalExpression expression, CascadesSearch search) {
      rule.apply(expression, below, search.memo());
    }
  }

  /** The implementation rules, applied together. */
  enum Implementation implements Applicable {
    /**
     * All implementations that the rules made for sampling and for which estimates exist; for a
     * merge, the plans of its branches.
     */
    ALL;

    @Override
    public void apply(Group group, LogicalExpression expression, CascadesSearch search) {
      List<PhysicalExpression> implementations = new ArrayList<>();
      for (SearchProblem.Implementation one : search.implementations(expression.position())) {
        implementations.add(new PhysicalExpression(expression, one.id(), one.perInput()));
      }
      if (expression.branches() != null) {
        String physical = implementations.removeFirst().physical();
        for (Subplan plan : expression.branches().subplans()) {
          implementations.add(new PhysicalExpression(expression, physical, plan.metrics(), plan));
        }
      }
      search.push(new OptimizePhysicalExpression(group, expression, implementations));
    }
  }

  @Override
  public void perform(CascadesSearch search) {
    if (search.isFirstApplication(expression, rule)) {
      rule.apply(group, expression, search);
    }
  }
}
