package dev.abacus.topology.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.secret.Redactor;
import dev.abacus.topology.control.ProgramPlans;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.runtime.FairScheduler;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.runtime.StreamsSettings;
import dev.abacus.topology.telemetry.ProgramCounters;
import dev.abacus.topology.telemetry.Tracing;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.PointData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentTraceTest {

  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";

  private static final String BRANCHES =
      """
      program: triage
      sources: { messages: { topic: in } }
      operators:
        - map: intent
          input: messages
          instruction: What does the customer want?
          reads: [text]
          writes: { intent: string }
        - map: tone
          input: messages
          instruction: How does the customer sound?
          reads: [text]
          writes: { tone: string }
        - join: both
          input: intent
          with: tone
      results: { topic: out }
      """;

  @TempDir Path state;

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private InMemoryMetricReader metrics = InMemoryMetricReader.create();
  private @Nullable ModelFailure failure;

  @Test
  void aDocumentIsOneTraceThatContinuesThatOfItsRecord() throws Exception {
    TestRecord<String, String> result =
        Objects.requireNonNull(run(tracing(null), "00-" + TRACE + "-" + PARENT + "-01"));

    List<SpanData> spans = exporter.getFinishedSpanItems();
    assertThat(spans)
        .extracting(SpanData::getName)
        .containsExactlyInAnyOrder(
            "chat gpt-4o", "chat gpt-4o", "map intent", "map tone", "process in");
    assertThat(spans).allSatisfy(span -> assertThat(span.getTraceId()).isEqualTo(TRACE));
    SpanData document = span("process in");
    assertThat(document.getParentSpanId()).isEqualTo(PARENT);
    assertThat(attribute(document, "abacus.outcome")).isEqualTo("result");
    assertThat(span("map intent").getParentSpanId()).isEqualTo(document.getSpanId());
    assertThat(span("map tone").getParentSpanId()).isEqualTo(document.getSpanId());
    assertThat(attribute(span("map tone"), "abacus.implementation"))
        .isEqualTo("model-selection(gpt-4o)");
    SpanData call = span("chat gpt-4o");
    assertThat(call.getParentSpanId())
        .isIn(span("map intent").getSpanId(), span("map tone").getSpanId());
    assertThat(attribute(call, "gen_ai.operation.name")).isEqualTo("chat");
    assertThat(attribute(call, "gen_ai.request.model")).isEqualTo("gpt-4o");
    assertThat(call.getAttributes().get(AttributeKey.longKey("gen_ai.usage.input_tokens")))
        .isEqualTo(10);
    assertThat(call.getAttributes().get(AttributeKey.longKey("gen_ai.usage.output_tokens")))
        .isEqualTo(1);
    assertThat(traceparent(result)).isEqualTo("00-" + TRACE + "-" + document.getSpanId() + "-01");
    assertThat(result.getHeaders().headers("traceparent")).hasSize(1);
  }

  @Test
  void aRecordWithoutATraceStartsOne() throws Exception {
    TestRecord<String, String> result = Objects.requireNonNull(run(tracing(null), null));
    SpanData document = span("process in");
    assertThat(document.getParentSpanContext().isValid()).isFalse();
    assertThat(traceparent(result)).contains(document.getTraceId(), document.getSpanId());
  }

  @Test
  void aTraceThatItsProducerDidNotSampleIsNotExportedButContinued() throws Exception {
    TestRecord<String, String> result =
        Objects.requireNonNull(run(tracing(null), "00-" + TRACE + "-" + PARENT + "-00"));
    assertThat(exporter.getFinishedSpanItems()).isEmpty();
    assertThat(traceparent(result)).startsWith("00-" + TRACE).endsWith("-00");
  }

  @Test
  void textsAreInSpansOnlyIfAskedForAndWithoutSecrets() throws Exception {
    run(tracing(null), null);
    assertThat(exporter.getFinishedSpanItems().toString()).doesNotContain("parcel", "refund");
    exporter.reset();
    run(tracing(Redactor.of(List.of("sk-secret-4711"))), null);
    SpanData call = span("chat gpt-4o");
    assertThat(attribute(call, "gen_ai.input.messages")).contains("parcel", "\"role\":\"user\"");
    assertThat(attribute(call, "gen_ai.output.messages")).contains("\"role\":\"assistant\"");
    assertThat(exporter.getFinishedSpanItems().toString())
        .contains("refund", "angry")
        .doesNotContain("sk-secret-4711");
  }

  @Test
  void aFailureIsNamedFromTheCallToTheDocument() throws Exception {
    failure = new ModelFailure.Declined("no");
    assertThat(run(tracing(null), null)).isNull();
    assertThat(attribute(span("chat gpt-4o"), "error.type")).isEqualTo("Declined");
    assertThat(span("map intent").getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(attribute(span("process in"), "abacus.outcome")).isEqualTo("dead letter");
  }

  @Test
  void tokensAndCostOfCallsAreMetricsByTheKeysOfTheBill() throws Exception {
    var _ = run(tracing(null), null);

    Collection<MetricData> all = metrics.collectAllMetrics();
    assertThat(all)
        .filteredOn(metric -> metric.getName().equals("gen_ai.client.token.usage"))
        .flatMap(metric -> metric.getHistogramData().getPoints())
        .extracting(
            point -> text(point, "abacus.operator"),
            point -> text(point, "gen_ai.token.type"),
            point -> text(point, "gen_ai.request.model"),
            HistogramPointData::getSum)
        .containsExactlyInAnyOrder(
            tuple("intent", "input", "gpt-4o", 10.0),
            tuple("intent", "output", "gpt-4o", 1.0),
            tuple("tone", "input", "gpt-4o", 10.0),
            tuple("tone", "output", "gpt-4o", 1.0));
    assertThat(all)
        .filteredOn(metric -> metric.getName().equals("abacus.client.cost"))
        .flatMap(metric -> metric.getDoubleSumData().getPoints())
        .allSatisfy(point -> {
          assertThat(point.getValue()).isEqualTo(0.01);
          assertThat(text(point, "abacus.program")).isEqualTo("triage");
          assertThat(text(point, "abacus.purpose")).isEqualTo("live");
        })
        .hasSize(2);
  }

  private static @Nullable String text(PointData point, String name) {
    return point.getAttributes().get(AttributeKey.stringKey(name));
  }

  @Test
  void withoutAnExporterNothingChanges() throws Exception {
    Tracing off = Tracing.configured(Map.of("OTEL_SERVICE_NAME", "x")::get, Redactor.NONE);
    assertThat(off).isSameAs(Tracing.OFF);
    String parent = "00-" + TRACE + "-" + PARENT + "-01";
    assertThat(traceparent(Objects.requireNonNull(run(off, parent)))).isEqualTo(parent);
  }

  @Test
  void theVariablesOfTheStandardSwitchTracesOnAndOff() {
    assertThat(isOn(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318"))).isTrue();
    assertThat(isOn(Map.of("OTEL_TRACES_EXPORTER", "otlp"))).isTrue();
    assertThat(isOn(Map.of("OTEL_TRACES_EXPORTER", "none"))).isFalse();
    assertThat(isOn(Map.of("OTEL_TRACES_EXPORTER", "otlp", "OTEL_SDK_DISABLED", "true"))).isFalse();
  }

  @Test
  void metricsAloneCountCallsAndTraceNothing() {
    try (Tracing tracing =
        Tracing.configured(Map.of("OTEL_METRICS_EXPORTER", "otlp")::get, Redactor.NONE)) {
      assertThat(tracing).isNotSameAs(Tracing.OFF);
      assertThat(traces(tracing)).isFalse();
    }
    assertThat(Tracing.configured(Map.of("OTEL_METRICS_EXPORTER", "none")::get, Redactor.NONE))
        .isSameAs(Tracing.OFF);
  }

  private static boolean isOn(Map<String, String> variables) {
    try (Tracing tracing = Tracing.configured(variables::get, Redactor.NONE)) {
      return traces(tracing);
    }
  }

  private static boolean traces(Tracing tracing) {
    return tracing.tracer().spanBuilder("a document").startSpan().getSpanContext().isValid();
  }

  private Tracing tracing(@Nullable Redactor content) {
    metrics = InMemoryMetricReader.create();
    OpenTelemetry telemetry =
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .setSampler(Sampler.parentBased(Sampler.alwaysOn()))
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(metrics).build())
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();
    return Tracing.to(telemetry, content);
  }

  /** The result of one document; null if there is none. */
  private @Nullable TestRecord<String, String> run(Tracing tracing, @Nullable String traceparent)
      throws Exception {
    ProgramPlans plans = new ProgramPlans();
    Program program = new ProgramParser(ModelCatalogue.builtIn()).parse(BRANCHES);
    plans.apply(new ControlRecord.ProgramSet(program));
    activate(plans, program);
    DocumentServices services =
        new DocumentServices(
            plans,
            new PlanExecutor(tracing.around(new OperatorRuntime(Embedders.of()))),
            tracing.around(model()),
            null,
            new ProgramCounters(),
            Clock.systemUTC(),
            null,
            () -> true,
            tracing,
            SourceRange.ALL,
            null,
            null);
    RuntimeSettings settings = RuntimeSettings.defaults();
    RuntimeServices runtime =
        RuntimeServices.of(1).withScheduler(new FairScheduler(10, Runnable::run));
    try (TopologyTestDriver driver =
        new TopologyTestDriver(
            DocumentTopology.of(program, services, settings, runtime, Partitions.ONE),
            new StreamsSettings(
                    "test", "none:1", state.toString(), 1, 0, settings.recordLimit(), Map.of())
                .toProperties())) {
      TestRecord<String, String> document =
          new TestRecord<>("d", "{\"text\":\"The parcel sk-secret-4711 has not come.\"}");
      if (traceparent != null) {
        document.headers().add("traceparent", traceparent.getBytes(UTF_8));
      }
      driver
          .createInputTopic("in", new StringSerializer(), new StringSerializer())
          .pipeInput(document);
      driver.advanceWallClockTime(Duration.ofSeconds(1));
      var results =
          driver.createOutputTopic("out", new StringDeserializer(), new StringDeserializer());
      return results.isEmpty() ? null : results.readRecord();
    }
  }

  private static void activate(ProgramPlans plans, Program program) {
    List<PlanStep> steps =
        program.operators().stream()
            .map(operator ->
                new PlanStep(
                    operator,
                    operator.isSemantic() ? new ModelSelection("gpt-4o") : new Relational()))
            .toList();
    PlanChoice choice = new PlanChoice(steps, new Estimate(0.9, 0.02, 1));
    plans.apply(
        new ControlRecord.PlanPublished(
            new PhysicalPlan("triage", 1, choice, program.objective(), List.of())));
    plans.apply(new ControlRecord.Activated("triage", 1, 1, "test", "test"));
  }

  private ModelClient model() {
    return request ->
        failure != null
            ? new ModelAnswer.Failed(failure, new ExecutionStats(0, 0.1, 1))
            : new ModelAnswer.Success(
                request.responseSchema() != null
                        && request.responseSchema().toString().contains("intent")
                    ? "{\"intent\":\"refund\"}"
                    : "{\"tone\":\"angry\"}",
                new ExecutionStats(0.01, 0.5, 1, TokenCounts.of(10, 4, 1)),
                List.of());
  }

  private SpanData span(String name) {
    return exporter.getFinishedSpanItems().stream()
        .filter(span -> span.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static @Nullable String attribute(SpanData span, String name) {
    return span.getAttributes().get(AttributeKey.stringKey(name));
  }

  private static String traceparent(TestRecord<String, String> record) {
    return new String(record.getHeaders().lastHeader("traceparent").value(), UTF_8);
  }
}
