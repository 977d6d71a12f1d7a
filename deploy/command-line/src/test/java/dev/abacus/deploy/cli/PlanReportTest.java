package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.deploy.cli.report.PlanReport;
import dev.abacus.deploy.cli.run.DemoWalkthrough;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanDifference;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.Spread;
import dev.abacus.schemas.plan.Standing;
import dev.abacus.schemas.plan.StepEstimate;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlanReportTest {

  private static final SemanticFilter FILTER =
      new SemanticFilter("is-problem", "messages", "Something went wrong.", List.of("text"));

  private static PlanChoice choice(String model, double quality, double cost) {
    return new PlanChoice(
        List.of(new PlanStep(FILTER, new ModelSelection(model))), new Estimate(quality, cost, 1.5));
  }

  private static PhysicalPlan plan(String objective, PlanChoice... frontier) {
    Objective parsed = ObjectiveParser.parse(objective);
    return new PhysicalPlan("triage", 2, frontier[0], parsed, List.of(frontier));
  }

  @Test
  void saysWhichPlanWasChosenAndHowItStands() {
    PhysicalPlan plan =
        plan("maximize quality subject to cost <= 0.01", choice("gpt-4o", 0.9, 0.01));

    assertThat(PlanReport.lines(plan))
        .contains(
            "plan triage, epoch 2: maximize quality subject to cost <= 0.01",
            "  1. filter is-problem: model-selection(gpt-4o)",
            "  expected per document: quality 0.900, cost $0.010000, latency 1.50 s",
            "  not settled: the estimate meets cost <= 0.01, and how sure it is, is not known",
            "  estimated, not promised: the plan was not measured on held-back examples");
  }

  @Test
  void bothEpochsOfACanaryShowTheirShares() {
    PhysicalPlan plan = plan("maximize quality", choice("gpt-4o", 0.9, 0.01));
    ControlRecord.Activated canary =
        new ControlRecord.Activated("triage", 2, 0.1, "cheaper", "governor", 1L);
    ControlRecord.Activated reverse =
        new ControlRecord.Activated("triage", 3, 0.25, "cheaper", "user", 2L);
    ControlRecord.Activated replaced =
        new ControlRecord.Activated("triage", 3, 1, "cheaper", "governor", 2L);

    assertThat(PlanReport.lines(plan, canary))
        .endsWith("canary: epoch 2 is active for 10 % of new documents, epoch 1 for the others");
    assertThat(share(plan, canary)).isEqualTo(0.1);
    assertThat(PlanReport.lines(plan, reverse))
        .endsWith("canary: epoch 3 is active for 25 % of new documents, epoch 2 for the others");
    assertThat(share(plan, reverse)).isEqualTo(0.75);
    assertThat(PlanReport.lines(plan, replaced)).isEqualTo(PlanReport.lines(plan));
    assertThat(share(plan, replaced)).isZero();
    assertThat(PlanReport.lines(plan, null)).isEqualTo(PlanReport.lines(plan));
    assertThat(share(plan, null)).isZero();
  }

  private static double share(PhysicalPlan plan, ControlRecord.@Nullable Activated active) {
    return PlanReport.json(plan, active).path("share").doubleValue();
  }

  @Test
  void saysHowSureTheEstimatesAre() {
    PhysicalPlan plan =
        plan(
            "maximize quality",
            choice("gpt-4o", 0.9, 0.01)
                .with(new Spread(0.05, 0.001, 0.1, 40, 12, List.of(0.0, 0.0, 0.0))));
    PhysicalPlan sure =
        new PhysicalPlan(
                plan.program(), plan.epoch(), plan.choice(), plan.objective(), plan.frontier())
            .with(
                Map.of(
                    "is-problem",
                    Map.of(
                        "model-selection(gpt-4o)",
                        new StepEstimate(
                            12,
                            Range.within(0.9, 0.8, 1.2, 0, 1),
                            Range.within(0.01, 0.008, 0.012, 0, 1),
                            Range.of(1.5),
                            0.5))),
                null,
                Standing.REQUIRED);

    assertThat(String.join("\n", PlanReport.lines(sure)))
        .contains("how sure", "12", "0.900 (0.800 to 1.000)", "0.010000 (0.008000 to 0.012000)")
        .contains("1.50 (one sample)")
        .contains(
            "the plan: quality 0.900 (0.799 to 1.000), cost $0.010000 (0.007979 to 0.012021)");
    assertThat(PlanReport.json(sure, null).at("/confidence/cost/high").asDouble())
        .isCloseTo(0.012, within(0.0001));
    assertThat(PlanReport.json(sure, null).at("/basis/is-problem").isEmpty()).isFalse();
    assertThat(String.join("\n", PlanReport.lines(plan))).doesNotContain("how sure");
  }

  @Test
  void saysWhatWasMeasuredAndHowLikelyABoundHolds() throws Exception {
    PhysicalPlan plan = unsettled(null, 1.83);

    assertThat(plan.feasible()).isFalse();
    assertThat(PlanReport.lines(plan))
        .contains(
            "  measured on 18 examples that the search did not use, quality of these alone 0.790"
                + " (0.700 to 0.880)",
            "  not settled (72 %, needs 90 %): quality >= 0.8: a budget 1.9 times"
                + " as large, for about 40 more samples of the plan ($0.40), would tell");
    assertThat(PlanReport.json(plan, null).at("/confidence/quality/low").asDouble())
        .isEqualTo(0.75);
    assertThat(PlanReport.json(plan, null).at("/promise/bounds/quality").asDouble())
        .isEqualTo(0.72);
    assertThat(Json.read(Json.write(plan), PhysicalPlan.class)).isEqualTo(plan);
    assertThat(settles(unsettled(104, 1.83)))
        .isEqualTo(
            "about 104 more examples and a budget 1.9 times as large, for about 40 more samples of"
                + " the plan ($0.40), would tell");
    assertThat(settles(unsettled(104, null)))
        .isEqualTo(
            "about 104 more examples, for about 40 more samples of the plan ($0.40), would tell");
    assertThat(settles(unsettled(null, null)))
        .isEqualTo("about 40 more samples of the plan ($0.40) would tell");
    PlanPromise expensive =
        Objects.requireNonNull(plan.promise()).with(Range.of(0.8), 40_000, null, null);
    assertThat(expensive.standing(plan.objective(), plan.choice()).settles())
        .contains("40000 more samples of the plan ($400)");
  }

  private static @Nullable String settles(PhysicalPlan plan) {
    return plan.standing().settles();
  }

  /** Forty samples are missing. */
  private static PhysicalPlan unsettled(@Nullable Integer examples, @Nullable Double budget)
      throws Exception {
    return plan("minimize cost subject to quality >= 0.8", choice("gpt-4o", 0.82, 0.01))
        .with(
            Map.of(),
            new PlanPromise(
                    18,
                    Range.within(0.82, 0.75, 0.89, 0, 1),
                    Range.of(0.01),
                    Range.of(1.5),
                    0.9,
                    Map.of("quality", 0.72),
                    null,
                    null,
                    null,
                    null,
                    List.of(),
                    null,
                    null)
                .with(Range.within(0.79, 0.7, 0.88, 0, 1), 40, examples, budget),
            0.9);
  }

  @Test
  void showsAtMostADozenPlansOfALongFrontier() {
    PlanChoice[] many =
        IntStream.range(0, 50)
            .mapToObj(i -> choice("m" + i, 0.5 + 0.005 * i, 0.001 * (i + 1)))
            .toArray(PlanChoice[]::new);
    List<String> frontier = PlanReport.frontier(plan("maximize quality", many));

    assertThat(frontier).hasSizeBetween(12, 14);
    assertThat(frontier).filteredOn(line -> line.startsWith("*")).hasSize(1);
    assertThat(frontier.getLast()).contains("50 plans in all");
  }

  @Test
  void saysByHowMuchABoundIsMissed() {
    PhysicalPlan plan =
        plan("maximize quality subject to cost <= 0.01", choice("gpt-4o", 0.9, 0.015));

    assertThat(PlanReport.lines(plan))
        .contains("  misses: the estimate misses cost <= 0.01 by 0.00500");
  }

  @Test
  void listsTheChosenPlanAndThenTheFrontierTheBestOfTheTargetFirst() {
    PhysicalPlan plan =
        plan(
            "minimize cost subject to quality >= 0.8",
            choice("gpt-4o", 0.9, 0.01),
            choice("llama-3.1-8b", 0.5, 0.001));

    List<String> frontier = PlanReport.frontier(plan);

    assertThat(frontier.get(1)).startsWith("*").contains("0.900", "not settled");
    assertThat(frontier.get(2)).contains("0.500", "misses", "llama-3.1-8b");
  }

  private static PlanChoice pair(double quality, PlanStep... steps) {
    return new PlanChoice(List.of(steps), new Estimate(quality, 0.01, 1.5));
  }

  @Test
  void besideTheMarkedPlanOnlyTheOperatorsThatDifferAreNamed() {
    PlanStep problem = new PlanStep(FILTER, new ModelSelection("gpt-4o"));
    SemanticFilter urgent =
        new SemanticFilter("is-urgent", "is-problem", "It is urgent.", List.of("text"));
    PlanStep strong = new PlanStep(urgent, new ModelSelection("gpt-4o"));
    PlanStep weak = new PlanStep(urgent, new ModelSelection("gpt-4o-mini"));
    PlanChoice marked = pair(0.9, problem, strong);
    String whole = "is-problem=model-selection(gpt-4o) -> is-urgent=model-selection(gpt-4o)";

    assertThat(PlanReport.beside(marked, marked)).isEqualTo(whole);
    assertThat(PlanReport.beside(marked, null)).isEqualTo(whole);
    assertThat(PlanReport.beside(pair(0.8, problem, weak), marked))
        .isEqualTo("as * but is-urgent=model-selection(gpt-4o-mini)");
    assertThat(PlanReport.beside(pair(0.8, problem, strong), marked)).isEqualTo("as *");
    assertThat(PlanReport.beside(pair(0.8, weak, problem), marked))
        .isEqualTo("is-urgent=model-selection(gpt-4o-mini) -> is-problem=model-selection(gpt-4o)");
  }

  @Test
  void saysWhyAPlanThatLooksBetterWasNotChosen() {
    PhysicalPlan plan =
        plan(
            "maximize quality subject to cost <= 0.01",
            choice("gpt-4o-mini", 0.8, 0.01),
            choice("gpt-4o", 0.9, 0.02));

    assertThat(PlanReport.lines(plan))
        .contains(
            "  not chosen: quality 0.900, cost $0.020000, latency 1.50 s",
            "    seems better; the estimate misses cost <= 0.01 by 0.0100");
  }

  @Test
  void aDifferenceNamesWhatChangedBetweenTwoPlans() {
    PhysicalPlan from = plan("maximize quality", choice("gpt-4o", 0.9, 0.01));
    PhysicalPlan to = plan("minimize cost", choice("gpt-4o-mini", 0.8, 0.005));

    PlanDifference difference = PlanDifference.between(from, to);

    assertThat(difference.lines())
        .contains(
            "  objective: maximize quality -> minimize cost",
            "  is-problem: model-selection(gpt-4o) -> model-selection(gpt-4o-mini)",
            "  cost: 0.0100000 -> 0.00500000 (-50.0 %)");
    assertThat(difference.orders()).isEmpty();
    assertThat(PlanDifference.between(from, from).lines())
        .contains("  the same steps and the same objective");
  }

  @Test
  void aChangedInstructionIsADifference() {
    SemanticFilter stricter =
        new SemanticFilter("is-problem", "messages", "Something broke.", List.of("text"));
    PlanChoice changed =
        new PlanChoice(
            List.of(new PlanStep(stricter, new ModelSelection("gpt-4o"))),
            new Estimate(0.9, 0.01, 1.5));

    PlanDifference difference =
        PlanDifference.between(
            plan("maximize quality", choice("gpt-4o", 0.9, 0.01)),
            plan("maximize quality", changed));

    assertThat(difference.changes())
        .containsExactly(
            "is-problem, condition: \"Something went wrong.\" -> \"Something broke.\"");
  }

  @Test
  void theDemoAsksForTheBestPlanThatCostsHalf() {
    PhysicalPlan plan =
        plan(
            "maximize quality",
            choice("gpt-4o", 0.9, 0.01),
            choice("gpt-4o-mini", 0.85, 0.006),
            choice("llama-3.3-70b", 0.777, 0.004),
            choice("llama-3.1-8b", 0.5, 0.001));

    assertThat(DemoWalkthrough.cheaper(plan))
        .hasToString("minimize cost subject to quality >= 0.77");
  }

  @Test
  void theDemoAsksForTheSamePlanWhereThereIsNoCheaperOne() {
    PhysicalPlan plan = plan("maximize quality", choice("gpt-4o", 0.9, 0.01));

    assertThat(DemoWalkthrough.cheaper(plan))
        .hasToString("minimize cost subject to quality >= 0.9");
  }
}
