package dev.abacus.deploy.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.job.JobSnapshot;
import dev.abacus.deploy.score.ResultScores.Figure;
import dev.abacus.deploy.score.ResultScores.Scores;
import dev.abacus.deploy.score.ResultScores.Unscored;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.StepEstimate;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobSummaryTest {

  private static final PhysicalOperator MODEL = new ModelSelection("gpt-4o");

  private static final List<PlanStep> STEPS =
      List.of(
          new PlanStep(new SemanticFilter("old", "mails", "It is old.", List.of("text")), MODEL),
          new PlanStep(
              new SemanticMap(
                  "sort",
                  "old",
                  "Which team?",
                  List.of("text"),
                  List.of(new Field("team", new FieldType.StringType(List.of()), "", false))),
              MODEL));

  private static Map<String, StepEstimate> promise(double quality) {
    Range any = Range.of(1);
    return Map.of(MODEL.id(), new StepEstimate(20, Range.of(quality), any, any, 0.5));
  }

  private static JobSummary summary(List<Figure> figures, Unscored... unscored) {
    PhysicalPlan plan =
        new PhysicalPlan(
                "triage",
                2,
                new PlanChoice(STEPS, new Estimate(0.72, 0.01, 1)),
                ObjectiveParser.parse("maximize quality"),
                List.of())
            .with(
                Map.of("old", promise(0.9), "sort", promise(0.8)),
                new PlanPromise(
                    10,
                    Range.of(0.7),
                    Range.of(0.012),
                    Range.of(1),
                    0.9,
                    Map.of(),
                    null,
                    null,
                    null,
                    null,
                    List.of(),
                    null,
                    null),
                0.9);
    JobSnapshot job =
        new JobSnapshot(
            4,
            2,
            2,
            2,
            0,
            0,
            List.of(InstanceStatus.builder("triage", "w", Instant.EPOCH, "").epoch(2L).build()),
            0.08,
            0.5,
            Map.of(2L, 2),
            null);
    return new JobSummary(
        "triage",
        job,
        1,
        plan,
        List.of("learnt of 'sort'"),
        new Scores(figures, List.of(unscored)),
        null);
  }

  @Test
  void whatLabelsMeasureStandsBesideWhatThePlanPromises() {
    JobSummary summary =
        summary(
            List.of(
                new Figure("sort", "exact", 0.75, 4),
                new Figure("old", "balanced accuracy", 0.6, 4),
                new Figure("old", "agreement", 0.5, 4, false),
                new Figure("whole plan", "quality", 0.45, 4)));

    assertThat(summary.lines().subList(summary.lines().size() - 5, summary.lines().size()))
        .containsExactly(
            "scored against labels  metric             labels  measured  promised",
            "sort                   exact                   4     0.750     0.800",
            "old                    balanced accuracy       4     0.600     0.900",
            "old                    agreement               4     0.500",
            "whole plan             quality                 4     0.450     0.700");
    assertThat(summary.json().at("/scores/0/promised").doubleValue()).isEqualTo(0.8);
    assertThat(summary.json().at("/scores/2/promised").isNull()).isTrue();
    assertThat(summary.json().at("/scores/3/promised").doubleValue()).isEqualTo(0.7);
    assertThat(summary.json().path("costPerDocumentUsd").doubleValue()).isEqualTo(0.02);
    assertThat(summary.json().path("promisedCostPerDocumentUsd").doubleValue()).isEqualTo(0.012);
  }

  @Test
  void withoutLabelsNothingIsCompared() {
    assertThat(summary(List.of()).json().has("scores")).isFalse();
    assertThat(String.join("\n", summary(List.of()).lines())).doesNotContain("scored");
    assertThat(summary(List.of()).lines()).contains("  learnt of 'sort'");
  }

  @Test
  void operatorsWithoutAScoreAreNamed() {
    JobSummary summary =
        summary(
            List.of(new Figure("sort", "exact", 0.75, 4)),
            new Unscored("query", "no labels"),
            new Unscored("old", "its metric is judge"),
            new Unscored("find", "no labels"));

    assertThat(summary.lines().getLast())
        .isEqualTo(
            "no score of the whole plan: query, find (no labels); old (its metric is judge)");
    assertThat(summary.json().at("/unscored/1/operator").asText()).isEqualTo("old");
    assertThat(summary.json().at("/unscored/1/reason").asText()).isEqualTo("its metric is judge");
  }
}
