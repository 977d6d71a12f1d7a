package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.rule.TransformationRule;
import java.util.ArrayList;
import java.util.List;

/** Applies one rule to one expression; never twice. */
record ApplyRule(Group group, LogicalExpression expression, Applicable rule) implements Task {

  /** What can be applied. */
  sealed interface Applicable {
    void apply(Group group, LogicalExpression expression, CascadesSearch search);
  }

  /** A transformation rule, with the expression below that it is to look at. */
  record Transformation(TransformationRule rule, LogicalExpression below) implements Applicable {

    @Override
    public void apply(Group group, LogicalExpression expression, CascadesSearch search) {
      rule.apply(expression, below, search.memo());
    }
  }

  /** Implementation rules. */
  enum Implementation implements Applicable {
    /**
     * All of them in one: those implementations that they made when the space was sampled, and of
     * which something is known since.
     */
    ALL;

    @Override
    public void apply(Group group, LogicalExpression expression, CascadesSearch search) {
      List<PhysicalExpression> implementations = new ArrayList<>();
      for (SearchProblem.Implementation one : search.implementations(expression.position())) {
        implementations.add(new PhysicalExpression(expression, one.id(), one.perInput()));
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
