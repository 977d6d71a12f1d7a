package dev.abacus.optimizer.search.rule.transformation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.Given;
import dev.abacus.optimizer.search.memo.CrossProduct;
import dev.abacus.optimizer.search.memo.GroupFrontier;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.Memo;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.optimizer.search.rule.TransformationRule;
import java.util.List;

/**
 * Rule tests as sentences: {@code assertThatRule(rule).on(below, above).fires()}.
 *
 * <p>"Fires" means that the group of both operators has got an expression with the lower operator
 * on top, over a group with the upper operator alone.
 */
final class RuleAssert {

  private final TransformationRule rule;
  private final Memo memo;

  private RuleAssert(TransformationRule rule, Memo memo) {
    this.rule = rule;
    this.memo = memo;
  }

  static On assertThatRule(TransformationRule rule) {
    return (below, above) ->
        new RuleAssert(rule, new Memo(Given.program(below, above), _ -> new NoSurvivors()));
  }

  /** Waits for the operators. */
  interface On {
    /** The operators in execution order. */
    RuleAssert on(Given.Spec below, Given.Spec above);
  }

  void fires() {
    LogicalExpression written = memo.root().logicalExpressions().getFirst();
    List<Memo.Added> added = rule.apply(written, lower(written), memo);
    assertThat(added).as("what %s adds to %s", rule.name(), written).hasSize(2);
    LogicalExpression exchanged = memo.root().logicalExpressions().getLast();
    assertThat(exchanged.position()).isZero();
    assertThat(exchanged.input().logicalExpressions())
        .singleElement()
        .satisfies(below -> assertThat(below.position()).isOne());
    assertThat(memo.groups()).as("source, each operator alone, both").isEqualTo(4);
  }

  void doesNotFire() {
    LogicalExpression written = memo.root().logicalExpressions().getFirst();
    assertThat(rule.apply(written, lower(written), memo))
        .as("what %s adds to %s", rule.name(), written)
        .isEmpty();
    assertThat(memo.root().logicalExpressions()).containsExactly(written);
  }

  private static LogicalExpression lower(LogicalExpression upper) {
    return upper.input().logicalExpressions().getFirst();
  }

  private record NoSurvivors() implements GroupFrontier {
    @Override
    public void offer(Subplan subplan) {
      // Rules look at logical expressions only.
    }

    @Override
    public void offer(CrossProduct combination) {
      // Rules look at logical expressions only.
    }

    @Override
    public double error() {
      return 0;
    }

    @Override
    public List<Subplan> subplans() {
      return List.of();
    }
  }
}
