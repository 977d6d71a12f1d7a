package dev.abacus.optimizer.loop.wholeplan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.estimate.RandomEffect;
import dev.abacus.optimizer.loop.state.Beliefs;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UncertainPlanTest {

  private static final Objective AT_LEAST_HALF =
      ObjectiveParser.parse("minimize cost subject to quality >= 0.5");

  private static UncertainPlan plan(double quality, double deviation) {
    return UncertainPlan.of(
        new PlanChoice(List.of(), new Estimate(quality, 1, 1)),
        List.of(Belief.alone(new OperatorEstimate(quality, 1, 1, 1), 5, deviation, 0.1, 0.1)));
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

  private static UncertainPlan ofOperators(int number) {
    List<PlanStep> steps =
        IntStream.range(0, number)
            .mapToObj(i ->
                new PlanStep(
                    new SemanticFilter("f" + i, "messages", "It is relevant.", List.of("text")),
                    new ModelSelection("m")))
            .toList();
    return UncertainPlan.of(
        new PlanChoice(steps, new Estimate(0.8, 1, 1)),
        List.of(Belief.alone(new OperatorEstimate(0.8, 1, 1, 1), 5, 0.03, 0.1, 0.1)));
  }

  /** A filter in one branch that passes a tenth saves nothing in the other branch. */
  @Test
  void theErrorOfTheCostOfABranchIsNotThatBehindTheOther() {
    PhysicalOperator model = new ModelSelection("m");
    List<PlanStep> steps =
        List.of(
            new PlanStep(new SemanticFilter("f", "messages", "It is.", List.of("text")), model),
            new PlanStep(new SemanticFilter("g", "messages", "It is.", List.of("text")), model),
            new PlanStep(new Merge("both", "f", "g"), new Relational()));
    Beliefs beliefs =
        new Beliefs(
            Map.of(
                "f", belief(model, new OperatorEstimate(1, 0.001, 1, 0.1)),
                "g", belief(model, new OperatorEstimate(1, 0.01, 1, 1))),
            Fanouts.STATED);

    UncertainPlan plan =
        UncertainPlan.of(new PlanChoice(steps, new Estimate(1, 0.011, 1)), beliefs);

    assertThat(plan.deviation(Dimension.COST)).isEqualTo(0.1 * 0.01, within(0.0001));
  }

  private static Map<Arm, Belief> belief(PhysicalOperator model, OperatorEstimate mean) {
    return Map.of(Arm.named(model.id()), Belief.alone(mean, 5, 0.1, 0.1, 0.1));
  }

  private static UncertainPlan weighed(int operators, double... scores) {
    return ofOperators(operators).weighed(Map.of(Dimension.QUALITY, measured(scores)));
  }

  @Test
  void theRunsOfAPlanOfOneOperatorAreSamplesOfItAndNoMore() {
    assertThat(weighed(1, 0.6, 0.61, 0.59, 0.6).values())
        .hasToString(ofOperators(1).values().toString());
  }

  /** The prior deviation of a plan from its operators is 0.024 here. */
  @Test
  void theRunsOfAPlanOfSeveralOperatorsCountByTheirNumberAndTheirScatter() {
    double few = weighed(2, 0.2, 1).mean(Dimension.QUALITY);
    UncertainPlan equal = weighed(2, 0.6, 0.61, 0.59, 0.6, 0.6, 0.6, 0.61, 0.59, 0.6, 0.6);

    assertThat(few).isEqualTo(0.8, within(0.01));
    assertThat(equal.mean(Dimension.QUALITY)).isBetween(0.62, 0.7);
    assertThat(equal.deviation(Dimension.QUALITY)).isBetween(0.03, 0.036);
    assertThat(equal.mean(Dimension.COST)).isEqualTo(1);
  }

  /** Seven operators; the plans differ in one of them. */
  @Test
  void aDifferenceIsThatOfTheOperatorsInWhichPlansDiffer() {
    List<Belief> common =
        Collections.nCopies(6, 0).stream()
            .map(_ -> Belief.alone(new OperatorEstimate(0.9, 1, 1, 1), 500, 0.05, 0.1, 0.1))
            .toList();
    UncertainPlan worse = plan(common, 0.80);
    UncertainPlan better = plan(common, 0.94);
    Objective objective = ObjectiveParser.parse("maximize quality");

    // 0.074 ± 0.036 of the seventh operators; with all errors of both plans ± 0.109.
    assertThat(worse.isShownWorse(better, objective, 0.9)).isTrue();
    assertThat(better.isShownWorse(worse, objective, 0.9)).isFalse();
    assertThat(plan(common, 0.88).isShownWorse(better, objective, 0.9)).isFalse();
  }

  private static UncertainPlan plan(List<Belief> common, double quality) {
    List<Belief> all = new ArrayList<>(common);
    all.add(Belief.alone(new OperatorEstimate(quality, 1, 1, 1), 500, 0.05, 0.1, 0.1));
    return UncertainPlan.of(
        new PlanChoice(List.of(), new Estimate(Math.pow(0.9, 6) * quality, 7, 7)), all);
  }

  @Test
  void severalBoundsHoldTogether() {
    Objective both = ObjectiveParser.parse("minimize latency subject to quality >= 0.5, cost <= 1");
    Belief belief = Belief.alone(new OperatorEstimate(0.5, 1, 1, 1), 1000, 0.05, 0.1, 0.1);

    UncertainPlan plan =
        UncertainPlan.of(new PlanChoice(List.of(), new Estimate(0.5, 1, 1)), List.of(belief));

    assertThat(plan.probability(both)).isEqualTo(0.25, within(0.005));
  }

  /** By 100,000 draws of normal variables. */
  @Test
  void boundsOnCostAndLatencyMayHoldTogetherMoreOften() {
    Loadings size = Loadings.of(new RandomEffect(RandomEffect.Kind.SIZE, "p", "documents"), 0.3);
    Belief belief =
        new Belief(
            new OperatorEstimate(0.5, 1, 1, 1),
            1000,
            Loadings.own(0.05),
            size.plus(Loadings.own(0.1)),
            size.plus(Loadings.own(0.1)),
            Loadings.NONE);
    Objective both =
        ObjectiveParser.parse("maximize quality subject to cost <= 1.3, latency <= 1.2");
    Random random = new Random(2);
    int kept = 0;
    for (int i = 0; i < 100_000; i++) {
      double common = 0.3 * random.nextGaussian();
      double cost = 1 + common + 0.1 * random.nextGaussian();
      double latency = 1 + common + 0.1 * random.nextGaussian();
      kept += cost <= 1.3 && latency <= 1.2 ? 1 : 0;
    }

    UncertainPlan plan =
        UncertainPlan.of(new PlanChoice(List.of(), new Estimate(0.5, 1, 1)), List.of(belief));

    assertThat(plan.probability(both)).isEqualTo(kept / 100_000.0, within(0.01));
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
    UncertainPlan few = UncertainPlan.of(plan, List.of(Belief.alone(mean, 2, 0.05, 0.1, 0.1)));
    UncertainPlan many = UncertainPlan.of(plan, List.of(Belief.alone(mean, 500, 0.05, 0.1, 0.1)));

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
    Belief certain = Belief.alone(new OperatorEstimate(1, 0.01, 1, 0.25), 4, 0.01, 0.01, 0.01);
    Belief unsure =
        new Belief(
            certain.mean(),
            4,
            Loadings.own(0.01),
            Loadings.own(0.01),
            Loadings.own(0.01),
            Loadings.own(0.15));
    Belief map = Belief.alone(new OperatorEstimate(1, 0.20, 1, 1), 4, 0.01, 0.01, 0.01);

    assertThat(UncertainPlan.of(plan, List.of(certain, map)).probability(bounded))
        .isGreaterThan(0.9);
    assertThat(UncertainPlan.of(plan, List.of(unsure, map)).probability(bounded)).isLessThan(0.75);
  }
}
