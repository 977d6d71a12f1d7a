package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.loop.budget.BudgetMeter;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.SampleBudget;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BudgetMeterTest {

  private static StateFixture fixture(SampleBudget budget) {
    return new StateFixture(budget);
  }

  private static int affordable(StateFixture fixture, double withheld, boolean beyondShare) {
    BudgetMeter meter = fixture.state().budget(fixture.program(), withheld);
    int count = 0;
    while (meter.reserve(List.of(fixture.task("classify", count)), "classify", beyondShare)) {
      count++;
    }
    return count;
  }

  @Test
  void theFirstOperatorsGetTheInvocationsThatTheSharesLeave() {
    StateFixture fixture = fixture(new SampleBudget.Invocations(11));
    BudgetMeter meter = fixture.state().budget(fixture.program(), 0);
    int filter = 0;
    while (meter.reserve(List.of(fixture.task("is-problem", filter)), "is-problem", false)) {
      filter++;
    }
    int last = 0;
    while (meter.reserve(List.of(fixture.task("answer", last)), "answer", false)) {
      last++;
    }

    assertThat(filter).isEqualTo(4);
    assertThat(last).isEqualTo(3);
  }

  @Test
  void anOperatorMayUseTheSharesOfOthersOnlyIfAllowed() {
    StateFixture fixture = fixture(new SampleBudget.Invocations(12));

    assertThat(affordable(fixture, 0, false)).isEqualTo(4);
    assertThat(affordable(fixture, 0, true)).isEqualTo(12);
  }

  @Test
  void aWithheldShareIsNotSpentButEveryOperatorKeepsOneSample() {
    assertThat(affordable(fixture(new SampleBudget.Invocations(20)), 0.25, true)).isEqualTo(15);
    assertThat(affordable(fixture(new SampleBudget.Invocations(4)), 0.9, true)).isEqualTo(3);
  }

  @Test
  void samplesOfTheRoundAreChargedWhenTheyAreIssuedAndThoseOfOtherRoundsAreNot() {
    StateFixture fixture = fixture(new SampleBudget.Invocations(12));
    fixture.issue(fixture.task("classify", 30), 0, "");
    fixture.issue(fixture.task("classify", 31), 0, "before");

    assertThat(affordable(fixture, 0, true)).isEqualTo(11);
    assertThat(fixture.state().budget(fixture.program(), 0).samples()).isEqualTo(1);
  }

  @Test
  void aCallForSeveralDocumentsIsOneInvocationAndIsReservedAsAWhole() {
    StateFixture fixture = fixture(new SampleBudget.Invocations(12));
    BudgetMeter meter = fixture.state().budget(fixture.program(), 0);
    List<SampleTask> call =
        IntStream.range(0, 16)
            .mapToObj(i ->
                fixture
                    .task("classify", i)
                    .inBatch("classify" + i, new SampleTask.Batch("call", 16, i > 10)))
            .toList();
    int calls = 0;
    while (meter.reserve(call, "classify", true)) {
      calls++;
    }

    assertThat(calls).isEqualTo(12);
    assertThat(meter.samples()).isEqualTo(12);
  }

  @Test
  void aBudgetInDollarsIsChargedWithTheObservedCost() {
    StateFixture fixture = fixture(new SampleBudget.Dollars(0.3));
    SampleTask task = fixture.issue(fixture.task("classify", 30), 0, "");
    fixture.observe(task, 0.1);

    // The forecast is the highest observed cost: two more of $0.1 fit exactly.
    assertThat(affordable(fixture, 0, true)).isEqualTo(2);
    assertThat(affordable(fixture, 0.5, true)).isZero();
  }
}
