package dev.abacus.optimizer.loop.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.loop.wholeplan.UncertainPlan;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PlanChoice;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanGainTest {

  private static final Objective CHEAP =
      ObjectiveParser.parse("minimize cost subject to quality >= 0.8");

  private static UncertainPlan plan(double quality, double cost) {
    PlanChoice choice = new PlanChoice(List.of(), new Estimate(quality, cost, 1));
    Belief belief = Belief.alone(new OperatorEstimate(quality, cost, 1, 1), 100, 0.1, 0.01, 0.01);
    UncertainPlan plan = UncertainPlan.of(choice, List.of(belief));
    return UncertainPlan.of(plan.stated(true), List.of(belief));
  }

  private static boolean isShown(UncertainPlan from, UncertainPlan to) {
    return new PlanGain(from, to, CHEAP, 0.9).isShown();
  }

  @Test
  void aPlanThatStandsBetterTowardsTheBoundsIsAGain() {
    assertThat(isShown(plan(0.75, 1), plan(0.85, 10))).isTrue();
    assertThat(isShown(plan(0.85, 1), plan(0.99, 10))).isTrue();
    assertThat(isShown(plan(0.99, 10), plan(0.85, 1))).isFalse();
  }

  /** Such a plan does not replace one that was not run as a whole, although it was. */
  @Test
  void aPlanThatHoldsTheBoundsWithAWorseTargetIsALoss() {
    assertThat(isLoss(plan(0.99, 1), plan(0.99, 1.04))).isTrue();
    assertThat(isLoss(plan(0.99, 1), plan(0.99, 1.005))).as("by chance").isFalse();
    assertThat(isLoss(plan(0.99, 1), plan(0.95, 0.9))).isFalse();
    assertThat(isLoss(plan(0.81, 1), plan(0.99, 2))).as("the first is not settled").isFalse();
    PlanGain lost = new PlanGain(plan(0.99, 2), plan(0.81, 1), CHEAP, 0.9);
    assertThat(lost.isLoss(false)).as("the second is not settled").isTrue();
    assertThat(lost.isLoss(true)).as("it was run").isFalse();
  }

  private static boolean isLoss(UncertainPlan from, UncertainPlan to) {
    return new PlanGain(from, to, CHEAP, 0.9).isLoss(true);
  }

  /** One is rather missed and the other rather kept, and no sample tells them apart. */
  @Test
  void oneInTwoIsNoBetterThanALittleLess() {
    assertThat(isShown(plan(0.799, 1), plan(0.801, 10))).isFalse();
    assertThat(isShown(plan(0.799, 10), plan(0.801, 1))).isTrue();
    assertThat(new PlanGain(plan(0.799, 1), plan(0.801, 10), CHEAP, 0.9).describe())
        .startsWith("better not settled (50 %, needs 90 %) instead of misses (49 %, needs 90 %)");
  }

  /** It may cost more, so the reason names what it is better in. */
  @Test
  void ofTwoThatMissTheBoundsTheLikelierIsAGainAndSaysSo() {
    assertThat(isShown(plan(0.7, 1), plan(0.75, 10))).isTrue();
    assertThat(new PlanGain(plan(0.7, 1), plan(0.75, 10), CHEAP, 0.9).describe())
        .startsWith("better misses (30 %, needs 90 %) instead of misses (15 %, needs 90 %)");
  }

  @Test
  void aDifferenceThatTheFiguresDoNotShowIsNotNamed() {
    assertThat(new PlanGain(plan(0.0084, 10), plan(0.0081, 1), CHEAP, 0.9).describe())
        .contains("better cost $1.000000 instead of $10.000000")
        .doesNotContain("worse");
  }

  /** What is better is not always what was asked for. */
  @Test
  void theReasonSaysIfTheTargetIsAlike() {
    assertThat(new PlanGain(plan(0.99, 1), plan(0.95, 1), CHEAP, 0.9).describe())
        .isEqualTo("alike in cost; worse quality 0.950 instead of 0.990");
  }
}
