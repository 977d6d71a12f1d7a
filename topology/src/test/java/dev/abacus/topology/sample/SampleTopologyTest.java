package dev.abacus.topology.sample;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.ModelState;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.InstanceStatus.ModelReport;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.LearnedCascade;
import dev.abacus.schemas.plan.MixtureOfAgents;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.token.TokenCounter;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.runtime.FairScheduler;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.runtime.StreamsSettings;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Scorer;
import dev.abacus.topology.telemetry.ProgramCounters;
import dev.abacus.topology.telemetry.Tracing;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.TopologyTestDriver;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleTopologyTest {

  private static final SemanticFilter FILTER =
      new SemanticFilter("urgent", "docs", "It is urgent.", List.of("text"));

  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  /** The model that the worker knows to be missing; empty for none. */
  private String missing = "";

  @TempDir Path state;

  private final ProgramCounters counters = new ProgramCounters();
  private Tracing tracing = Tracing.OFF;

  @Test
  void aSampleIsRunScoredAndReported() throws Exception {
    Observation observation = observe(saying("{\"satisfied\":true}"));

    assertThat(observation.taskId()).isEqualTo("t");
    assertThat(observation.physical()).isEqualTo("model-selection(gpt-4o)");
    assertThat(observation.outcome()).isEqualTo(Observation.Outcome.KEPT);
    assertThat(observation.quality()).isEqualTo(1.0);
    assertThat(observation.scoredBy()).isEqualTo(Observation.ScoredBy.LABEL);
    assertThat(observation.cost()).isEqualTo(0.01);
    assertThat(observation.outputs()).containsExactly(document());
  }

  @Test
  void aSampleIsATraceOfItsOwn() throws Exception {
    InMemorySpanExporter exporter = InMemorySpanExporter.create();
    tracing =
        Tracing.to(
            OpenTelemetrySdk.builder()
                .setTracerProvider(
                    SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                        .build())
                .build(),
            null);

    observe(saying("{\"satisfied\":true}"));
    observe(saying("{\"satisfied\":true}"));

    assertThat(exporter.getFinishedSpanItems())
        .extracting(SpanData::getName)
        .containsExactly("chat gpt-4o", "sample urgent", "chat gpt-4o", "sample urgent");
    SpanData sample = exporter.getFinishedSpanItems().get(1);
    assertThat(sample.getParentSpanContext().isValid()).isFalse();
    assertThat(exporter.getFinishedSpanItems().getFirst().getTraceId())
        .isEqualTo(sample.getTraceId())
        .isNotEqualTo(exporter.getFinishedSpanItems().getLast().getTraceId());
    assertThat(sample.getAttributes().get(AttributeKey.doubleKey("abacus.quality"))).isEqualTo(1);
    assertThat(sample.getAttributes().get(AttributeKey.stringKey("abacus.implementation")))
        .isEqualTo("model-selection(gpt-4o)");
  }

  @Test
  void aFilterThatWronglyDropsScoresNothing() throws Exception {
    Observation observation = observe(saying("{\"satisfied\":false}"));

    assertThat(observation.outcome()).isEqualTo(Observation.Outcome.DROPPED);
    assertThat(observation.quality()).isZero();
    assertThat(observation.outputs()).isEmpty();
  }

  @Test
  void aFailedSampleIsQualityZeroAtItsRealCost() throws Exception {
    Observation observation =
        observe(_ ->
            new ModelAnswer.Failed(
                new ModelFailure.Malformed("no"), new ExecutionStats(0.03, 1, 2)));

    assertThat(observation.outcome()).isEqualTo(Observation.Outcome.FAILED);
    assertThat(observation.quality()).isZero();
    assertThat(observation.cost()).isEqualTo(0.03);
    assertThat(observation.failure()).contains("no");
  }

  @Test
  void onlyFailuresOfTheImplementationAreQualityZero() throws Exception {
    Map<ModelFailure, Observation.Outcome> outcomes =
        Map.ofEntries(
            Map.entry(new ModelFailure.Malformed("x"), Observation.Outcome.FAILED),
            Map.entry(new ModelFailure.Declined("x"), Observation.Outcome.FAILED),
            Map.entry(new ModelFailure.Refused(400, "x"), Observation.Outcome.FAILED),
            Map.entry(new ModelFailure.ContextTooLong("x"), Observation.Outcome.FAILED),
            Map.entry(new ModelFailure.Truncated("x"), Observation.Outcome.FAILED),
            Map.entry(new ModelFailure.RateLimited("x", null), Observation.Outcome.UNAVAILABLE),
            Map.entry(new ModelFailure.QuotaExhausted("x"), Observation.Outcome.UNAVAILABLE),
            Map.entry(
                new ModelFailure.ServerError(503, "x", null), Observation.Outcome.UNAVAILABLE),
            Map.entry(new ModelFailure.TimedOut("x"), Observation.Outcome.UNAVAILABLE),
            Map.entry(new ModelFailure.ConnectionLost("x"), Observation.Outcome.UNAVAILABLE),
            Map.entry(new ModelFailure.AuthenticationFailed("x"), Observation.Outcome.UNAVAILABLE),
            Map.entry(new ModelFailure.UnknownModel("x"), Observation.Outcome.UNAVAILABLE));
    for (Map.Entry<ModelFailure, Observation.Outcome> expected : outcomes.entrySet()) {
      Observation observation =
          observe(_ -> new ModelAnswer.Failed(expected.getKey(), new ExecutionStats(0.03, 1, 2)));

      assertThat(observation.outcome()).as("%s", expected).isEqualTo(expected.getValue());
      assertThat(observation.quality())
          .as("%s", expected)
          .isEqualTo(expected.getValue() == Observation.Outcome.FAILED ? 0.0 : null);
      assertThat(observation.cost()).isEqualTo(0.03);
      assertThat(observation.failure()).isEqualTo("model gpt-4o: x");
    }
  }

  @Test
  void aProviderFaultNamesTheModelItsStateAndTheTime() throws Exception {
    assertThat(observe(failing(new ModelFailure.RateLimited("x", null))).unavailable())
        .isEqualTo(new Observation.Unavailable("gpt-4o", ModelState.UNREACHABLE, NOW));
    assertThat(observe(failing(new ModelFailure.UnknownModel("x"))).unavailable())
        .isEqualTo(new Observation.Unavailable("gpt-4o", ModelState.MISSING, NOW));
    assertThat(observe(failing(new ModelFailure.AuthenticationFailed("x"))).unavailable())
        .isEqualTo(new Observation.Unavailable("gpt-4o", ModelState.NO_KEY, NOW));
  }

  @Test
  void aJudgeThatCannotBeCalledLeavesTheSampleUnavailableAndItsCostCounts() throws Exception {
    Observation observation =
        observe(
            task(new ModelSelection("gpt-4o"), null),
            request ->
                request.model().equals("o4-mini")
                    ? new ModelAnswer.Failed(
                        new ModelFailure.UnknownModel("no such"), new ExecutionStats(0.005, 1, 1))
                    : saying("{\"satisfied\":true}").call(request));

    assertThat(observation.outcome()).isEqualTo(Observation.Outcome.UNAVAILABLE);
    assertThat(observation.quality()).isNull();
    assertThat(observation.unavailable())
        .isEqualTo(new Observation.Unavailable("o4-mini", ModelState.MISSING, NOW));
    assertThat(observation.spent()).isEqualTo(0.015);
    assertThat(observation.tokens()).isEqualTo(TokenCounts.of(100, 0, 20));
    assertThat(observation.failure()).isEqualTo("judge model o4-mini: no such");
  }

  @Test
  void noSampleRunsWhileItsModelOrItsJudgeIsKnownToBeMissing() throws Exception {
    missing = "gpt-4o";
    Observation withoutModel = observe(nobody());
    missing = "o4-mini";
    Observation withoutJudge = observe(task(new ModelSelection("gpt-4o"), null), nobody());

    assertThat(withoutModel.unavailable())
        .isEqualTo(new Observation.Unavailable("gpt-4o", ModelState.MISSING, NOW));
    assertThat(withoutModel.failure()).isEqualTo("http://e lists 3 models");
    assertThat(withoutJudge.unavailable())
        .isEqualTo(new Observation.Unavailable("o4-mini", ModelState.MISSING, NOW));
    assertThat(withoutJudge.spent()).isZero();
  }

  @Test
  void anAnswerThatATechniqueGaveWithoutOneOfItsModelsDoesNotMeasureTheTechnique()
      throws Exception {
    Observation observation =
        observe(
            task(
                new MixtureOfAgents(List.of("gpt-4o", "gpt-4o-mini"), 0.5, "gpt-4o"),
                BooleanNode.TRUE),
            request ->
                request.model().equals("gpt-4o-mini")
                    ? failing(new ModelFailure.TimedOut("late")).call(request)
                    : saying("{\"satisfied\":true}").call(request));

    assertThat(observation.outcome()).isEqualTo(Observation.Outcome.UNAVAILABLE);
    assertThat(observation.unavailable())
        .isEqualTo(new Observation.Unavailable("gpt-4o-mini", ModelState.UNREACHABLE, NOW));
  }

  private static ModelClient failing(ModelFailure failure) {
    return _ -> new ModelAnswer.Failed(failure, new ExecutionStats(0, 1, 1));
  }

  @Test
  void aBugInAnOperatorIsStillAnObservation() throws Exception {
    Observation observation =
        observe(_ -> {
          throw new IllegalStateException("bug");
        });

    assertThat(observation.outcome()).isEqualTo(Observation.Outcome.FAILED);
    assertThat(observation.failure()).contains("bug");
  }

  @Test
  void aTaskThatCannotBeReadIsADeadLetter() {
    try (TopologyTestDriver driver = driver(saying(""))) {
      send(driver, "{\"id\":1}".getBytes(StandardCharsets.UTF_8));

      assertThat(output(driver, "p.observations")).isEmpty();
      assertThat(output(driver, "p.dlq")).hasSize(1);
    }
  }

  @Test
  void aLabelledExampleIsEmbeddedForWhatItTeachesAndNobodyIsAsked() throws Exception {
    Observation observation = observe(lesson(BooleanNode.TRUE), nobody());

    assertThat(observation.outcome()).isEqualTo(Observation.Outcome.EMBEDDED);
    assertThat(observation.quality()).isNull();
    assertThat(observation.outputs()).isEmpty();
    assertThat(observation.spent()).isEqualTo(0.002);
    assertThat(observation.latency()).isEqualTo(0.25);
    assertThat(observation.evidence())
        .isEqualTo(new Evidence.Embedded("e", "AACAPwAAAAA=", BooleanNode.TRUE, true, 0.25, 0.002));
  }

  @Test
  void anExampleWithoutALabelTeachesNothingByItself() throws Exception {
    Observation observation = observe(lesson(null), nobody());

    assertThat(observation.outcome()).isEqualTo(Observation.Outcome.FAILED);
    assertThat(observation.evidence()).isNull();
    assertThat(observation.failure()).contains("no label");
  }

  private static ModelClient nobody() {
    return _ -> {
      throw new AssertionError("no model is to be called");
    };
  }

  private static SampleTask lesson(@Nullable JsonNode label) throws Exception {
    return SampleTask.builder("t", "p")
        .operator(FILTER)
        .physical(new LearnedCascade("gpt-4o", "e", 0.9, null))
        .exampleId("e")
        .input(document())
        .label(label)
        .judge("o4-mini")
        .evidenceOnly(true)
        .build();
  }

  private Observation observe(ModelClient model) throws Exception {
    return observe(task(new ModelSelection("gpt-4o"), BooleanNode.TRUE), model);
  }

  private static SampleTask task(PhysicalOperator technique, @Nullable JsonNode label)
      throws Exception {
    return SampleTask.builder("t", "p")
        .operator(FILTER)
        .physical(technique)
        .exampleId("e")
        .input(document())
        .label(label)
        .judge("o4-mini")
        .build();
  }

  private Observation observe(SampleTask task, ModelClient model) throws Exception {
    try (TopologyTestDriver driver = driver(model)) {
      send(driver, Json.write(task));
      return Json.read(output(driver, "p.observations").getFirst(), Observation.class);
    }
  }

  /** Whatever the text, at a price. */
  private record FlatEmbedder(String name) implements Embedder {
    @Override
    public EmbeddingAnswer embed(List<String> texts) {
      return new EmbeddingAnswer.Success(
          texts.stream().map(_ -> Embedding.of(1, 0)).toList(), new ExecutionStats(0.002, 0.25, 1));
    }
  }

  private static Document document() throws Exception {
    return Document.parse("{\"id\":\"d\",\"text\":\"hi\"}");
  }

  private static ModelClient saying(String answer) {
    return _ ->
        new ModelAnswer.Success(
            answer, new ExecutionStats(0.01, 0.5, 1, TokenCounts.of(100, 0, 20)), List.of());
  }

  private TopologyTestDriver driver(ModelClient model) {
    SampleWork work =
        new SampleWork(
            SampleRunner.ofProgram(
                new OperatorRuntime(Embedders.of(new FlatEmbedder("e"))),
                new Scorer(new Judge(ModelCatalogue.builtIn())),
                TokenCounter.of(ModelCatalogue.builtIn()),
                InstantSource.fixed(NOW),
                this::problem),
            tracing.around(model),
            counters,
            tracing,
            null);
    RuntimeSettings settings = RuntimeSettings.defaults();
    RuntimeServices services =
        RuntimeServices.of(1).withScheduler(new FairScheduler(10, Runnable::run));
    return new TopologyTestDriver(
        SampleTopology.of("p", work, settings, services),
        new StreamsSettings(
                "test", "none:1", state.toString(), 1, 0, settings.recordLimit(), Map.of())
            .toProperties());
  }

  private @Nullable ModelReport problem(String name) {
    return name.equals(missing)
        ? new ModelReport(name, ModelState.MISSING, NOW, "http://e lists 3 models")
        : null;
  }

  private static void send(TopologyTestDriver driver, byte[] value) {
    driver
        .createInputTopic("p.samples", new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new byte[] {1}, value, Instant.now());
    driver.advanceWallClockTime(Duration.ofMillis(20));
  }

  private static List<byte[]> output(TopologyTestDriver driver, String topic) {
    return driver
        .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .readValuesToList();
  }
}
