package dev.abacus.optimizer.loop.wholeplan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.search.cost.Belief;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.Range;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UncertainPlanTest {

  private static final Objective AT_LEAST_HALF =
      ObjectiveParser.parse("minimize cost subject to quality >= 0.5");

  private static UncertainPlan plan(double quality, double deviation) {
    return UncertainPlan.of(
        new PlanChoice(List.of(), new Estimate(quality, 1, 1)),
        List.of(new Belief(new OperatorEstimate(quality, 1, 1, 1), 5, deviation, 0.1, 0.1)));
  }

  private static MeasuredMean measured(double... scores) {
    return MeasuredMean.ofScores(scores);
  }

  @Test
  void aBoundAtTheMeanHoldsWithOneHalf() {
    assertThat(plan(0.5, 0.05).probability(AT_LEAST_HALF)).isEqualTo(0.5, within(1e-6));
  }

  @Test
  void aBoundIsLikelierToHoldTheFurtherAwayItIs() {
    assertThat(plan(0.55, 0.05).probability(AT_LEAST_HALF)).isBetween(0.8, 0.9);
    assertThat(plan(0.65, 0.05).probability(AT_LEAST_HALF)).isGreaterThan(0.95);
    assertThat(plan(0.35, 0.05).probability(AT_LEAST_HALF)).isLessThan(0.05);
  }

  @Test
  void anEstimateWithoutDeviationIsNotCertain() {
    assertThat(plan(0.6, 0).probability(AT_LEAST_HALF)).isLessThan(0.8);
  }

  @Test
  void runsThatAgreeLeaveTheEstimateThatContainsThem() {
    UncertainPlan before = plan(0.7, 0.05);

    assertThat(before.checkedBy(Map.of(Dimension.QUALITY, measured(0.6, 0.7, 0.8, 0.6, 0.7, 0.9))))
        .isEqualTo(before);
  }

  @Test
  void runsThatContradictTheEstimateOutweighIt() {
    UncertainPlan after =
        plan(0.95, 0.01)
            .checkedBy(
                Map.of(Dimension.QUALITY, measured(0.5, 0.6, 0.55, 0.5, 0.6, 0.5, 0.55, 0.5)));

    assertThat(after.get(Dimension.QUALITY).mean()).isEqualTo(0.54, within(0.03));
    assertThat(after.get(Dimension.QUALITY).deviation()).isGreaterThan(0.01);
    assertThat(after.get(Dimension.COST)).isEqualTo(plan(0.95, 0.01).get(Dimension.COST));
  }

  @Test
  void theIntervalIsWiderThanTheDeviationOfTheModel() {
    Range range = plan(0.5, 0.05).range(Dimension.QUALITY);

    assertThat(range.low()).isLessThan(0.5 - 1.96 * 0.05);
    assertThat(range.high()).isGreaterThan(0.5 + 1.96 * 0.05);
  }

  @Test
  void theIntervalIsThatOfStudentsTAndApproachesTheNormalOneWithMoreSamples() {
    PlanChoice plan = new PlanChoice(List.of(), new Estimate(0.5, 1, 1));
    OperatorEstimate mean = new OperatorEstimate(0.5, 1, 1, 1);
    UncertainPlan few = UncertainPlan.of(plan, List.of(new Belief(mean, 2, 0.05, 0.1, 0.1)));
    UncertainPlan many = UncertainPlan.of(plan, List.of(new Belief(mean, 500, 0.05, 0.1, 0.1)));

    assertThat(few.range(Dimension.QUALITY).low()).isEqualTo(0.5 - 2.447 * 0.05, within(0.003));
    assertThat(many.range(Dimension.QUALITY).low()).isEqualTo(0.5 - 1.965 * 0.05, within(0.001));
    // The 97.5 % quantiles of Student's t as probabilities.
    Objective bound = ObjectiveParser.parse("minimize cost subject to quality >= 0.37765");
    assertThat(few.probability(bound)).isEqualTo(0.975, within(0.005));
    assertThat(many.probability(bound)).isGreaterThan(0.99);
  }

  @Test
  void aBoundOnCostIsLessLikelyToHoldIfSelectivitiesAreUncertain() {
    Objective bounded = ObjectiveParser.parse("maximize quality subject to cost <= 0.07");
    PlanChoice plan = new PlanChoice(List.of(), new Estimate(1, 0.06, 1));
    Belief certain = new Belief(new OperatorEstimate(1, 0.01, 1, 0.25), 4, 0.01, 0.01, 0.01, 0);
    Belief unsure = new Belief(new OperatorEstimate(1, 0.01, 1, 0.25), 4, 0.01, 0.01, 0.01, 0.15);
    Belief map = new Belief(new OperatorEstimate(1, 0.20, 1, 1), 4, 0.01, 0.01, 0.01, 0);

    assertThat(UncertainPlan.of(plan, List.of(certain, map)).probability(bounded))
        .isGreaterThan(0.9);
    assertThat(UncertainPlan.of(plan, List.of(unsure, map)).probability(bounded)).isLessThan(0.75);
  }
}
