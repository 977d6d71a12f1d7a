package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.memo.Group;
import dev.abacus.optimizer.memo.LogicalExpression;
import dev.abacus.optimizer.memo.Memo;
import dev.abacus.optimizer.memo.PhysicalExpression;
import dev.abacus.optimizer.rule.TransformationRule;

/** Applies one rule to one expression; never twice. */
record ApplyRule(Group group, LogicalExpression expression, Applicable rule) implements Task {

  /** What can be applied. */
  sealed interface Applicable {}

  /** A transformation rule. */
  record Transformation(TransformationRule rule) implements Applicable {}

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
      case Transformation transformation -> transform(transformation.rule(), search);
      case Implementation _ -> implement(search);
    }
  }

  private void transform(TransformationRule transformation, Search search) {
    for (Memo.Added added : transformation.apply(expression, search.memo())) {
      if (added.isNew()) {
        search.found(added);
      }
    }
  }

  private void implement(Search search) {
    for (SurvivorRule.Implementation implementation :
        search.implementations(expression.position())) {
      search.push(
          new OptimizePhysicalExpression(
              group,
              new PhysicalExpression(expression, implementation.id(), implementation.perInput())));
    }
  }
}
