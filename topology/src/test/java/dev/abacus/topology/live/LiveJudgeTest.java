package dev.abacus.topology.live;

import static dev.abacus.topology.Await.until;
import static dev.abacus.topology.model.ScriptedModelClient.fail;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.Usage;
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
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Provenance;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorFailure;
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
import io.opentelemetry.sdk.logs.SdkLoggerProvider;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.SimpleLogRecordProcessor;
import io.opentelemetry.sdk.testing.exporter.InMemoryLogRecordExporter;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LiveJudgeTest {

  private static Program program(double share, String more) throws Exception {
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
            governor: { judge: %s }
            """
                    .formatted(share)
                + more);
  }

  private final Program program = program(1, "");
  private final ProgramCounters counters = new ProgramCounters();
  private final ScriptedModelClient model = new ScriptedModelClient(say("{\"score\": 0.5}"));

  private Tracing tracing = Tracing.OFF;

  LiveJudgeTest() throws Exception {}

  private LiveJudge judge() {
    Scorer scorer = new Scorer(new Judge(ModelCatalogue.builtIn()));
    return new LiveJudge(scorer, model, References.NONE, counters, tracing);
  }

  private void kept(LiveJudge judge) throws Exception {
    PlanStep step = new PlanStep(program.operators().getFirst(), new ModelSelection("gpt-4o"));
    Document document = Document.parse("{\"text\": \"hi\"}");
    judge
        .listener(program, plan(Map.of()), envelope(0))
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

  private static Envelope envelope(long offset) throws Exception {
    return new Envelope(
        null,
        Document.parse("{\"text\": \"hi\"}"),
        new Provenance(3, Usage.NONE, Instant.EPOCH, "in", 0, offset),
        null,
        null);
  }

  /** The number of the first 10,000 documents that are in both draws. */
  private static long drawn(double share, String... purposes) throws Exception {
    long number = 0;
    for (int offset = 0; offset < 10_000; offset++) {
      Envelope document = envelope(offset);
      number += Stream.of(purposes).allMatch(name -> document.draw(name) < share) ? 1 : 0;
    }
    return number;
  }

  @Test
  void aShareOfTheDocumentsIsDrawnForEachOperatorAnew() throws Exception {
    assertThat(drawn(0.02, "judge keep")).isBetween(150L, 250L);
    assertThat(drawn(0.5, "judge keep")).isBetween(4_800L, 5_200L);
    assertThat(drawn(0.5, "judge keep", "judge classify")).isBetween(2_300L, 2_700L);
  }

  @Test
  void aDocumentIsDrawnAgainIfItIsProcessedAgain() throws Exception {
    Program half = program(0.5, "");
    try (LiveJudge judge = judge()) {
      for (int offset = 0; offset < 40; offset++) {
        long before = judgedOrMissing();
        failed(judge, half, new ModelFailure.Malformed("no JSON"), offset);
        long first = judgedOrMissing() - before;
        failed(judge, half, new ModelFailure.Malformed("no JSON"), offset);
        assertThat(judgedOrMissing() - before).isEqualTo(2 * first);
      }
    }
    assertThat(judgedOrMissing()).isBetween(2L, 78L);
  }

  private long judgedOrMissing() {
    return quality().stream().mapToLong(QualityCounts::judged).sum();
  }

  /** What the judge cannot score is no reason to forget that it was drawn. */
  @Test
  void anOutputWithoutAScoreIsMissing() throws Exception {
    ScriptedModelClient silent =
        ScriptedModelClient.always(fail(new ModelFailure.TimedOut("late")));
    Scorer scorer = new Scorer(new Judge(ModelCatalogue.builtIn()));
    try (LiveJudge judge = new LiveJudge(scorer, silent, References.NONE, counters, tracing)) {
      kept(judge);
      awaitQuality();
    }
    assertThat(quality())
        .singleElement()
        .satisfies(counts -> assertThat(counts.judged()).isZero())
        .extracting(QualityCounts::missing)
        .isEqualTo(1L);
  }

  private void awaitQuality() {
    until(() -> !quality().isEmpty());
  }

  /** A decision with a score of 0.5 counts half for each class. */
  @Test
  void aDecisionOfAFilterIsCountedByItsKind() throws Exception {
    try (LiveJudge judge = judge()) {
      kept(judge);
      awaitQuality();
      assertThat(quality())
          .singleElement()
          .extracting(QualityCounts::decisions)
          .isEqualTo(new MatchCounts(0.5, 0.5, 0, 0));
    }
  }

  private void failed(LiveJudge judge, ModelFailure failure) throws Exception {
    failed(judge, program, failure, 0);
  }

  private void failed(LiveJudge judge, Program of, ModelFailure failure, long offset)
      throws Exception {
    OperatorOutcome outcome =
        new OperatorOutcome.Failed(
            new OperatorFailure.ModelFailed("m", failure), ExecutionStats.NONE);
    PhysicalPlan plan = plan(Map.of());
    judge
        .listener(of, plan, envelope(offset))
        .stepFinished(plan.steps().getFirst(), Document.parse("{\"text\": \"hi\"}"), outcome);
  }

  @Test
  void aFailureOfTheImplementationScoresZeroAndAFaultOfTheProviderNothing() throws Exception {
    try (LiveJudge judge = judge()) {
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
    try (LiveJudge judge = judge()) {
      judge
          .listener(judged, plan, envelope(0))
          .stepFinished(
              plan.steps().getFirst(),
              document,
              new OperatorOutcome.Kept(document, ExecutionStats.NONE));
      awaitQuality();
    }
    return model.requests().getLast().system();
  }

  @Test
  void theJudgeSeesTheGradedExamplesOfThePlan() throws Exception {
    Program showing = program(1, "judge: { examples: 1 }\n");

    assertThat(judgePrompt(showing)).contains("thanks").contains("{\"score\": 0.00}");
  }

  @Test
  void theJudgeSeesNoExamplesIfTheProgramKeepsThemOut() throws Exception {
    Program keeping = program(1, "judge: { examples: 1 }\n").withFewShot(false);

    assertThat(judgePrompt(keeping)).doesNotContain("thanks");
  }

  @Test
  void aJudgementIsATraceOfItsOwnThatLinksToTheDocument() throws Exception {
    InMemorySpanExporter exporter = InMemorySpanExporter.create();
    InMemoryLogRecordExporter events = InMemoryLogRecordExporter.create();
    OpenTelemetry telemetry =
        OpenTelemetrySdk.builder()
            .setLoggerProvider(
                SdkLoggerProvider.builder()
                    .addLogRecordProcessor(SimpleLogRecordProcessor.create(events))
                    .build())
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build();
    tracing = Tracing.to(telemetry, null);
    Span document = telemetry.getTracer("test").spanBuilder("process in").startSpan();
    try (LiveJudge judge = judge();
        Scope _ = document.makeCurrent()) {
      kept(judge);
      until(() -> !exporter.getFinishedSpanItems().isEmpty());
    }
    SpanData judgement = exporter.getFinishedSpanItems().getFirst();
    assertThat(judgement.getName()).startsWith("judge ");
    assertThat(judgement.getTraceId()).isNotEqualTo(document.getSpanContext().getTraceId());
    assertThat(judgement.getLinks())
        .singleElement()
        .satisfies(link -> assertThat(link.getSpanContext()).isEqualTo(document.getSpanContext()));
    assertThat(judgement.getAttributes().get(AttributeKey.doubleKey("abacus.quality")))
        .isEqualTo(0.5);
    LogRecordData event = events.getFinishedLogRecordItems().getFirst();
    assertThat(event.getEventName()).isEqualTo("gen_ai.evaluation.result");
    assertThat(event.getSpanContext()).isEqualTo(document.getSpanContext());
    assertThat(event.getAttributes().get(AttributeKey.doubleKey("gen_ai.evaluation.score.value")))
        .isEqualTo(0.5);
    assertThat(event.getAttributes().get(AttributeKey.stringKey("abacus.operator")))
        .isEqualTo(judgement.getAttributes().get(AttributeKey.stringKey("abacus.operator")));
  }

  @Test
  void aClosedJudgeLetsDocumentsPass() throws Exception {
    LiveJudge judge = judge();
    judge.close();

    kept(judge);

    assertThat(counters.status("p", "i", Instant.EPOCH, "", 1L).quality()).isEmpty();
  }
}
