package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.memo.Group;
import dev.abacus.optimizer.memo.LogicalExpression;
import dev.abacus.optimizer.memo.PhysicalExpression;
import dev.abacus.optimizer.rule.TransformationRule;
import java.util.ArrayList;
import java.util.List;

/** Applies one rule to one expression; never twice. */
record ApplyRule(Group group, LogicalExpression expression, Applicable rule) implements Task {

  /** What can be applied. */
  sealed interface Applicable {}

  /** A transformation rule, with the expression below that it is to look at. */
  record Transformation(TransformationRule rule, LogicalExpression below) implements Applicable {}

  /**
   * All implementation rules in one: those implementations that they made when the space was
   * sampled, and of which something is known since.
   */
  record Implementation() implements Applicable {}

  @Override
  public void perform(Search search) {
    if (!search.isFirstApplication(expression, rule)) {
      return;
    }
    switch (rule) {
      case Transformation(TransformationRule transformation, LogicalExpression below) ->
          transformation.apply(expression, below, search.memo());
      case Implementation _ -> implement(search);
    }
  }

  private void implement(Search search) {
    List<PhysicalExpression> implementations = new ArrayList<>();
    for (Problem.Implementation one : search.implementations(expression.position())) {
      implementations.add(new PhysicalExpression(expression, one.id(), one.perInput()));
    }
    search.push(new OptimizePhysicalExpression(group, expression, implementations));
  }
}
