package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.optimizer.Given;
import dev.abacus.optimizer.search.memo.GroupFrontier;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.Memo;
import dev.abacus.optimizer.search.memo.ProgramGraph;
import dev.abacus.optimizer.search.rule.TransformationRule;
import org.assertj.core.api.Assertions;

/**
 * Rule tests as sentences: {@code assertThat(rule).on(lower, upper).fires()}.
 *
 * <p>A rule fires if the group of both operators then contains an expression with the lower
 * operator on top, over a group with the upper operator alone.
 */
final class RuleAssert {

  private final TransformationRule rule;
  private final Memo memo;

  private RuleAssert(TransformationRule rule, Memo memo) {
    this.rule = rule;
    this.memo = memo;
  }

  static On assertThat(TransformationRule rule) {
    return (lower, upper) ->
        new RuleAssert(
            rule, new Memo(ProgramGraph.of(Given.program(lower, upper)), _ -> GroupFrontier.NONE));
  }

  /** Takes the operators that the rule is applied to. */
  interface On {
    /** The operators in execution order. */
    RuleAssert on(Given.Spec lower, Given.Spec upper);
  }

  void fires() {
    LogicalExpression written = memo.root().logicalExpressions().getFirst();
    Assertions.assertThat(rule.apply(written, lower(written), memo))
        .as("%s fires on %s", rule.getClass().getSimpleName(), written)
        .isTrue();
    LogicalExpression exchanged = memo.root().logicalExpressions().getLast();
    Assertions.assertThat(exchanged.position()).isZero();
    Assertions.assertThat(exchanged.input().logicalExpressions())
        .singleElement()
        .satisfies(below -> Assertions.assertThat(below.position()).isOne());
    Assertions.assertThat(memo.groups()).as("source, each operator alone, both").isEqualTo(4);
  }

  void doesNotFire() {
    LogicalExpression written = memo.root().logicalExpressions().getFirst();
    Assertions.assertThat(rule.apply(written, lower(written), memo))
        .as("%s fires on %s", rule.getClass().getSimpleName(), written)
        .isFalse();
    Assertions.assertThat(memo.root().logicalExpressions()).containsExactly(written);
  }

  private static LogicalExpression lower(LogicalExpression upper) {
    return upper.input().logicalExpressions().getFirst();
  }
}
