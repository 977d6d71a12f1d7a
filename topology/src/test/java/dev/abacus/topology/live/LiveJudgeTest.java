package dev.abacus.topology.live;

import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.MatchCounts;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.GradedExample;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.execution.StepListener;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.References;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Scorer;
import dev.abacus.topology.telemetry.ProgramCounters;
import dev.abacus.topology.telemetry.Tracing;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveJudgeTest {

  private static Program program(String more) throws Exception {
    return new ProgramParser(ModelCatalogue.builtIn())
        .parse(
            """
            program: p
            sources:
              in: { topic: in, format: json, key: id }
            operators:
              - filter: keep
                condition: It is a complaint.
                reads: [text]
            results: { topic: out, format: json }
            governor: { judge: 0.5 }
            """
                + more);
  }

  private final Program program = program("");
  private final ProgramCounters counters = new ProgramCounters();
  private final ScriptedModelClient model = new ScriptedModelClient(say("{\"score\": 0.5}"));

  private Tracing tracing = Tracing.OFF;

  LiveJudgeTest() throws Exception {}

  private LiveJudge judge(double chance) {
    Scorer scorer = new Scorer(new Judge(ModelCatalogue.builtIn()));
    return new LiveJudge(scorer, model, References.NONE, counters, () -> chance, tracing);
  }

  private void kept(LiveJudge judge) throws Exception {
    PlanStep step = new PlanStep(program.operators().getFirst(), new ModelSelection("gpt-4o"));
    Document document = Document.parse("{\"text\": \"hi\"}");
    judge
        .listener(program, plan(Map.of()))
        .stepFinished(step, document, new OperatorOutcome.Kept(document, ExecutionStats.NONE));
  }

  private PhysicalPlan plan(Map<String, List<GradedExample>> graded) {
    PlanStep step = new PlanStep(program.operators().getFirst(), new ModelSelection("gpt-4o"));
    PlanChoice choice = new PlanChoice(List.of(step), new Estimate(1, 0, 0));
    return new PhysicalPlan("p", 3, choice, program.objective(), List.of()).withGraded(graded);
  }

  private List<QualityCounts> quality() {
    return counters.status("p", "i", Instant.EPOCH, "", 1L).quality();
  }

  @Test
  void theShareThatTheProgramNamesIsWatched() {
    try (LiveJudge within = judge(0.4);
        LiveJudge beyond = judge(0.5)) {
      assertThat(within.listener(program, plan(Map.of()))).isNotSameAs(StepListener.NONE);
      assertThat(beyond.listener(program, plan(Map.of()))).isSameAs(StepListener.NONE);
    }
  }

  /** A decision with a score of 0.5 counts half for each class. */
  @Test
  void aDecisionOfAFilterIsCountedByItsKind() throws Exception {
    try (LiveJudge judge = judge(0.4)) {
      kept(judge);
      long deadline = System.nanoTime() + 10_000_000_000L;
      while (quality().isEmpty() && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }
      assertThat(quality())
          .singleElement()
          .extracting(QualityCounts::decisions)
          .isEqualTo(new MatchCounts(0.5, 0.5, 0, 0));
    }
  }

  private void failed(LiveJudge judge, ModelFailure failure) throws Exception {
    OperatorOutcome outcome = OperatorOutcome.Failed.ofModel("m", failure, ExecutionStats.NONE);
    PhysicalPlan plan = plan(Map.of());
    judge
        .listener(program, plan)
        .stepFinished(plan.steps().getFirst(), Document.parse("{\"text\": \"hi\"}"), outcome);
  }

  @Test
  void aFailureOfTheImplementationScoresZeroAndAFaultOfTheProviderNothing() throws Exception {
    try (LiveJudge judge = judge(0.4)) {
      failed(judge, new ModelFailure.TimedOut("late"));
      assertThat(quality()).isEmpty();

      failed(judge, new ModelFailure.Malformed("no JSON"));
      assertThat(quality())
          .singleElement()
          .satisfies(counts -> assertThat(counts.measured(null, 1.96).mean()).isZero())
          .extracting(QualityCounts::judged)
          .isEqualTo(1L);
    }
    assertThat(model.requests()).isEmpty();
  }

  private String judgePrompt(Program judged) throws Exception {
    GradedExample example =
        new GradedExample(
            "e1", Document.parse("{\"text\": \"thanks\"}"), List.of(Document.empty()), 0);
    PhysicalPlan plan = plan(Map.of("keep", List.of(example)));
    Document document = Document.parse("{\"text\": \"hi\"}");
    try (LiveJudge judge = judge(0.4)) {
      judge
          .listener(judged, plan)
          .stepFinished(
              plan.steps().getFirst(),
              document,
              new OperatorOutcome.Kept(document, ExecutionStats.NONE));
      long deadline = System.nanoTime() + 10_000_000_000L;
      while (quality().isEmpty() && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }
    }
    return model.requests().getLast().system();
  }

  @Test
  void theJudgeSeesTheGradedExamplesOfThePlan() throws Exception {
    Program showing = program("judge: { examples: 1 }\n");

    assertThat(judgePrompt(showing)).contains("thanks").contains("{\"score\": 0.00}");
  }

  @Test
  void theJudgeSeesNoExamplesIfTheProgramKeepsThemOut() throws Exception {
    Program keeping = program("judge: { examples: 1 }\n").withFewShot(false);

    assertThat(judgePrompt(keeping)).doesNotContain("thanks");
  }

  @Test
  void aJudgementIsATraceOfItsOwnThatLinksToTheDocument() throws Exception {
    InMemorySpanExporter exporter = InMemorySpanExporter.create();
    OpenTelemetry telemetry =
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build();
    tracing = Tracing.to(telemetry, null);
    Span document = telemetry.getTracer("test").spanBuilder("process in").startSpan();
    try (LiveJudge judge = judge(0.4);
        Scope _ = document.makeCurrent()) {
      kept(judge);
      long deadline = System.nanoTime() + 10_000_000_000L;
      while (exporter.getFinishedSpanItems().isEmpty() && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }
    }
    SpanData judgement = exporter.getFinishedSpanItems().getFirst();
    assertThat(judgement.getName()).startsWith("judge ");
    assertThat(judgement.getTraceId()).isNotEqualTo(document.getSpanContext().getTraceId());
    assertThat(judgement.getLinks())
        .singleElement()
        .satisfies(link -> assertThat(link.getSpanContext()).isEqualTo(document.getSpanContext()));
    assertThat(judgement.getAttributes().get(AttributeKey.doubleKey("abacus.quality")))
        .isEqualTo(0.5);
  }

  @Test
  void aClosedJudgeLetsDocumentsPass() throws Exception {
    LiveJudge judge = judge(0.4);
    judge.close();

    kept(judge);

    assertThat(counters.status("p", "i", Instant.EPOCH, "", 1L).quality()).isEmpty();
  }
}
