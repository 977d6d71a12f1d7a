package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.optimizer.Given;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.Memo;
import dev.abacus.optimizer.search.memo.MemoTest;
import dev.abacus.optimizer.search.rule.TransformationRule;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import org.assertj.core.api.Assertions;

/**
 * Rule tests as sentences: {@code assertThat(rule).on(lower, upper).fires()}.
 *
 * <p>If a rule fires, the group of both operators contains an expression with the lower operator on
 * top, over a group with the upper operator alone.
 */
record RuleAssert(TransformationRule rule, Program program) {

  static On assertThat(TransformationRule rule) {
    return (lower, upper) -> new RuleAssert(rule, Given.program(lower, upper));
  }

  /** Takes the operators that the rule is applied to. */
  interface On {
    /** The operators in execution order. */
    RuleAssert on(Given.Spec lower, Given.Spec upper);
  }

  private boolean matches() {
    LogicalOperator lower = program.operators().getFirst();
    return rule.matches(program.operators().getLast(), lower);
  }

  void fires() {
    Assertions.assertThat(matches())
        .as("%s fires on %s", rule.getClass().getSimpleName(), program)
        .isTrue();
    Memo memo = MemoTest.allOrders(program);
    LogicalExpression exchanged = memo.root().expressions().getLast();
    Assertions.assertThat(exchanged.position()).isZero();
    Assertions.assertThat(exchanged.input().expressions())
        .singleElement()
        .satisfies(below -> Assertions.assertThat(below.position()).isOne());
    Assertions.assertThat(memo.groups()).as("source, each operator alone, both").hasSize(4);
  }

  void doesNotFire() {
    Assertions.assertThat(matches())
        .as("%s fires on %s", rule.getClass().getSimpleName(), program)
        .isFalse();
  }
}
