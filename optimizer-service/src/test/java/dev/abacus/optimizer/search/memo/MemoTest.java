package dev.abacus.optimizer.search.memo;

import static dev.abacus.optimizer.Given.filter;
import static dev.abacus.optimizer.Given.map;
import static dev.abacus.optimizer.Given.program;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

public class MemoTest {

  /** The maps are independent of each other and of the filter, so all orders are legal. */
  private static final Program FREE = program(map("m", "a"), filter("f", "a"), map("n", "a"));

  private final Memo memo = allOrders(FREE);

  /** The memo of all legal orders of a program. */
  public static Memo allOrders(Program program) {
    return Objects.requireNonNull(explored(program, OrderSpace.Extent.ALL, Integer.MAX_VALUE));
  }

  private static @Nullable Memo explored(Program program, OrderSpace.Extent extent, int most) {
    ProgramGraph graph = ProgramGraph.of(List.of(program));
    Rank rank = Rank.of(List.of(new OperatorEstimate(1, 1, 0, 1)));
    List<Rank> ranks = Collections.nCopies(program.operators().size(), rank);
    return Memo.explored(graph, new OrderSpace(graph, ranks, extent), most);
  }

  @Test
  void operatorsThatCannotBeExchangedHaveOneGroupEach() {
    Memo written = allOrders(program(map("m", "a"), map("n", "m"), filter("f", "n")));
    assertThat(written.groups()).as("the source and one group per operator").hasSize(4);
    assertThat(written.expressions()).isEqualTo(3);
    assertThat(written.applications()).as("of implementation rules").isEqualTo(3);
    List<String> fromTheRoot = new ArrayList<>();
    for (Group group = written.root(); !group.key().isEmpty(); ) {
      assertThat(group.expressions()).hasSize(1);
      LogicalExpression only = group.expressions().getFirst();
      fromTheRoot.add(only.operator().id());
      group = only.input();
    }
    assertThat(fromTheRoot).containsExactly("f", "n", "m");
  }

  @Test
  void theSourceIsABaseWithoutExpressions() {
    Group source = expression(expression(expression(memo.root(), 2).input(), 1).input(), 0).input();
    assertThat(source.key().isEmpty()).isTrue();
    assertThat(source.isBase()).isTrue();
    assertThat(source.expressions()).isEmpty();
    assertThat(memo.root().isBase()).isFalse();
  }

  @Test
  void eachLegalRootOfAGroupHasOneExpression() {
    assertThat(memo.groups()).as("one per set of operators").hasSize(8);
    assertThat(memo.expressions()).as("one per operator of each set").isEqualTo(12);
    assertThat(memo.root().expressions())
        .extracting(expression -> expression.operator().id())
        .containsExactlyInAnyOrder("m", "f", "n");
  }

  @Test
  void ordersOfTheSameOperatorsShareAGroup() {
    Group filterAndMap = expression(memo.root(), 2).input();
    assertThat(filterAndMap.expressions())
        .extracting(expression -> expression.operator().id())
        .containsExactly("f", "m");
    assertThat(expression(filterAndMap, 0).input())
        .isSameAs(expression(expression(memo.root(), 0).input(), 2).input());
  }

  @Test
  void oneOrderHasOneExpressionPerGroupAndMoreGroupsThanAllowedAreNone() {
    Memo single = Objects.requireNonNull(explored(FREE, OrderSpace.Extent.SINGLE, 4));
    assertThat(single.groups()).hasSize(4);
    assertThat(single.expressions()).isEqualTo(3);
    assertThat(explored(FREE, OrderSpace.Extent.ALL, 7)).isNull();
    assertThat(explored(FREE, OrderSpace.Extent.ALL, 8)).isNotNull();
  }

  @Test
  void aFilterKnowsTheMapsBeforeIt() {
    assertThat(expression(memo.root(), 1).mapsBefore()).isEqualTo(2);
    assertThat(expression(expression(memo.root(), 2).input(), 1).mapsBefore()).isEqualTo(1);
    assertThat(expression(memo.root(), 2).mapsBefore()).as("no filter").isZero();
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
    Group both = expression(memo.root(), 2).input();
    Subplan map = subplan(expression(expression(both, 1).input(), 0), Subplan.SOURCE, "x");
    Subplan filter = subplan(expression(both, 1), map, "y");
    assertThat(filter.expressions())
        .extracting(
            expression -> expression.logical().operator().id() + "=" + expression.physical())
        .containsExactly("m=x", "f=y");
  }

  @Test
  void equalSubplansAreOrderedByLateFiltersThenByIds() {
    Group both = expression(memo.root(), 2).input();
    LogicalExpression filterOnTop = expression(both, 1);
    LogicalExpression mapOnTop = expression(both, 0);
    LogicalExpression mapAlone = expression(filterOnTop.input(), 0);
    LogicalExpression filterAlone = expression(mapOnTop.input(), 1);
    Subplan late = subplan(filterOnTop, subplan(mapAlone, Subplan.SOURCE, "a"), "a");
    Subplan early = subplan(mapOnTop, subplan(filterAlone, Subplan.SOURCE, "a"), "a");
    Subplan earlyOther = subplan(mapOnTop, subplan(filterAlone, Subplan.SOURCE, "a"), "b");
    List<Subplan> sorted = new ArrayList<>(List.of(late, earlyOther, early));
    Collections.sort(sorted, Subplan.ORDER);
    assertThat(sorted).containsExactly(early, earlyOther, late);
  }

  private static LogicalExpression expression(Group group, int position) {
    return group.expressions().stream()
        .filter(expression -> expression.position() == position)
        .findFirst()
        .orElseThrow();
  }

  private static Subplan subplan(LogicalExpression logical, Subplan input, String physical) {
    PhysicalExpression root =
        new PhysicalExpression(logical, physical, new OperatorEstimate(1, 0, 0, 1));
    return Subplan.of(root, input, OperatorEstimate.RELATIONAL);
  }
}
