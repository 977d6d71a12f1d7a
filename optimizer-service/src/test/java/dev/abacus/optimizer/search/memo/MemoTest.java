package dev.abacus.optimizer.search.memo;

import static dev.abacus.optimizer.Given.filter;
import static dev.abacus.optimizer.Given.map;
import static dev.abacus.optimizer.Given.program;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.search.pareto.MetricVector;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoTest {

  private final Memo memo =
      new Memo(
          ProgramGraph.of(program(map("m", "a"), filter("f", "a"), map("n", "a"))),
          _ -> new KeepAll());

  @Test
  void itStartsWithTheProgramAsWritten() {
    assertThat(memo.groups()).as("the source and one group per operator").isEqualTo(4);
    assertThat(memo.expressions()).isEqualTo(3);
    List<String> fromTheRoot = new ArrayList<>();
    for (Group group = memo.root(); !group.key().isEmpty(); ) {
      LogicalExpression only = group.logicalExpressions().getFirst();
      assertThat(group.logicalExpressions()).hasSize(1);
      fromTheRoot.add(only.operator().id());
      group = only.input();
    }
    assertThat(fromTheRoot).containsExactly("n", "f", "m");
  }

  @Test
  void theSourceGroupHoldsTheSource() {
    Group source = memo.asWritten(inputOf(inputOf(memo.root()))).getFirst().input();
    assertThat(source.key().isEmpty()).isTrue();
    assertThat(source.logicalExpressions()).isEmpty();
    assertThat(source.frontier().subplans()).containsExactly(Subplan.SOURCE);
  }

  @Test
  void anotherRootOfAGroupIsAddedOnceToTheSameGroup() {
    LogicalExpression mapOnTop = memo.expressions(memo.root(), 0).getFirst();
    assertThat(mapOnTop.key()).isEqualTo(memo.root().key());
    assertThat(memo.root().logicalExpressions()).hasSize(2).contains(mapOnTop);
    int groups = memo.groups();
    int expressions = memo.expressions();
    assertThat(memo.expressions(memo.root(), 0).getFirst()).isEqualTo(mapOnTop);
    assertThat(memo.add(mapOnTop)).isSameAs(memo.root());
    assertThat(memo.expressions()).isEqualTo(expressions);
    assertThat(memo.groups()).isEqualTo(groups);
    assertThat(memo.root().logicalExpressions()).hasSize(2);
  }

  @Test
  void ordersOfTheSameOperatorsShareAGroup() {
    Group filterAndMap = memo.expressions(memo.root(), 2).getFirst().input();
    LogicalExpression mapOnTop = memo.expressions(filterAndMap, 0).getFirst();
    assertThat(memo.add(mapOnTop)).isSameAs(filterAndMap);
    assertThat(filterAndMap.logicalExpressions())
        .extracting(expression -> expression.operator().id())
        .containsExactly("f", "m");
  }

  @Test
  void aFilterKnowsTheMapsBeforeIt() {
    assertThat(memo.expressions(memo.root(), 1).getFirst().mapsBefore()).isEqualTo(2);
    assertThat(memo.asWritten(inputOf(memo.root())).getFirst().mapsBefore()).isEqualTo(1);
    assertThat(memo.asWritten(memo.root()).getFirst().mapsBefore()).as("no filter").isZero();
  }

  @Test
  void keysDoNotDependOnTheOrderOfOperatorsAndAreCopied() {
    GroupKey source = new GroupKey(0, new BitSet());
    assertThat(source.with(1).with(0)).isEqualTo(source.with(0).with(1));
    assertThat(source.with(1).with(0)).hasSameHashCodeAs(source.with(0).with(1));
    assertThat(source.with(1).without(1)).isEqualTo(source);
    source.with(1).operators().clear();
    assertThat(source.with(1).contains(1)).isTrue();
    GroupKey other = new GroupKey(1, new BitSet()).with(2);
    assertThat(source.with(0).with(other)).isEqualTo(source.with(0).with(2));
    assertThat(source.with(0).with(other).containsAll(other)).isTrue();
    assertThat(source.with(0).containsAll(other)).isFalse();
  }

  @Test
  void subplansAreReadInExecutionOrder() {
    Subplan map =
        subplan(memo.asWritten(inputOf(inputOf(memo.root()))).getFirst(), Subplan.SOURCE, "x");
    Subplan filter = subplan(memo.asWritten(inputOf(memo.root())).getFirst(), map, "y");
    assertThat(filter.expressions())
        .extracting(
            expression -> expression.logical().operator().id() + "=" + expression.physical())
        .containsExactly("m=x", "f=y");
  }

  @Test
  void equalSubplansAreOrderedByLateFiltersThenByIds() {
    Group both = inputOf(memo.root());
    LogicalExpression mapAlone = memo.asWritten(inputOf(both)).getFirst();
    LogicalExpression mapOnTop = memo.expressions(both, 0).getFirst();
    LogicalExpression filterAlone = memo.asWritten(mapOnTop.input()).getFirst();
    Subplan late =
        subplan(memo.asWritten(both).getFirst(), subplan(mapAlone, Subplan.SOURCE, "a"), "a");
    Subplan early = subplan(mapOnTop, subplan(filterAlone, Subplan.SOURCE, "a"), "a");
    Subplan earlyOther = subplan(mapOnTop, subplan(filterAlone, Subplan.SOURCE, "a"), "b");
    List<Subplan> sorted = new ArrayList<>(List.of(late, earlyOther, early));
    Collections.sort(sorted, Subplan.ORDER);
    assertThat(sorted).containsExactly(early, earlyOther, late);
  }

  private Group inputOf(Group group) {
    return memo.asWritten(group).getFirst().input();
  }

  private static Subplan subplan(LogicalExpression logical, Subplan input, String physical) {
    PhysicalExpression root =
        new PhysicalExpression(logical, physical, new MetricVector(1, 0, 0, 1));
    return Subplan.of(root, input, MetricVector.SOURCE);
  }

  /** Keeps every subplan. */
  private static final class KeepAll implements GroupFrontier {

    private final List<Subplan> kept = new ArrayList<>();

    @Override
    public void offer(Subplan subplan) {
      kept.add(subplan);
    }

    @Override
    public List<Subplan> subplans() {
      return kept;
    }
  }
}
