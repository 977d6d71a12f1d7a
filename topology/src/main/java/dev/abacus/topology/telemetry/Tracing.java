package dev.abacus.topology.telemetry;

import dev.abacus.schemas.secret.Redactor;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Traces of documents, metrics of model calls and events of judges, by OpenTelemetry. What is off
 * goes to parts of OpenTelemetry that do nothing.
 *
 * <p>The current span is that of OpenTelemetry's {@link Context}. A thread that works for another
 * thread takes over its context. Work without a current span makes no spans.
 */
public final class Tracing implements AutoCloseable {

  /** No traces. */
  public static final Tracing OFF = new Tracing(OpenTelemetry.noop(), null, true, () -> {});

  /** The variable that adds prompts and answers to spans, as GenAI instrumentations name it. */
  static final String CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

  /** Defaults of this product; variables and system properties have precedence. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "otel.service.name", "abacus-worker",
          "otel.metrics.exporter", "none",
          "otel.logs.exporter", "none",
          "otel.exporter.otlp.protocol", "http/protobuf");

  private final OpenTelemetry telemetry;
  private final Tracer tracer;
  private final TextMapPropagator propagator;
  private final TokenUsage usage;
  private final @Nullable Redactor content;
  private final Runnable close;

  private Tracing(
      OpenTelemetry telemetry, @Nullable Redactor content, boolean traces, Runnable close) {
    OpenTelemetry traced = traces ? telemetry : OpenTelemetry.noop();
    this.telemetry = telemetry;
    this.tracer = traced.getTracer("dev.abacus");
    this.propagator = traced.getPropagators().getTextMapPropagator();
    this.usage = new TokenUsage(telemetry.getMeter("dev.abacus"));
    this.content = traces ? content : null;
    this.close = close;
  }

  /**
   * Traces to a telemetry that the caller owns.
   *
   * @param content hides secrets in prompts and answers; null keeps these texts out of spans
   */
  public static Tracing to(OpenTelemetry telemetry, @Nullable Redactor content) {
    return new Tracing(telemetry, content, true, () -> {});
  }

  /**
   * Traces and counts as the standard variables say; {@link #OFF} if they configure no exporter.
   *
   * @param variable looks up an environment variable; the result is null if it is not set
   * @param redactor hides secrets in texts
   * @throws IllegalArgumentException if a variable is wrong
   */
  public static Tracing configured(UnaryOperator<@Nullable String> variable, Redactor redactor) {
    boolean traces = exportsTraces(variable);
    if ("true".equalsIgnoreCase(variable.apply("OTEL_SDK_DISABLED"))
        || !(traces
            || exports("OTEL_METRICS_EXPORTER", variable)
            || exports("OTEL_LOGS_EXPORTER", variable))) {
      return OFF;
    }
    Map<String, String> defaults = new HashMap<>(DEFAULTS);
    if (!traces) {
      defaults.put("otel.traces.exporter", "none");
    }
    try {
      var sdk =
          AutoConfiguredOpenTelemetrySdk.builder()
              .disableShutdownHook()
              .addPropertiesSupplier(() -> defaults)
              .build()
              .getOpenTelemetrySdk();
      boolean texts = "true".equalsIgnoreCase(variable.apply(CONTENT));
      return new Tracing(sdk, texts ? redactor : null, traces, sdk::close);
    } catch (ConfigurationException e) {
      throw new IllegalArgumentException("OpenTelemetry: " + e.getMessage(), e);
    }
  }

  private static boolean exportsTraces(UnaryOperator<@Nullable String> variable) {
    String exporter = variable.apply("OTEL_TRACES_EXPORTER");
    return exporter == null
        ? variable.apply("OTEL_EXPORTER_OTLP_ENDPOINT") != null
            || variable.apply("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != null
        : !exporter.equals("none");
  }

  private static boolean exports(String setting, UnaryOperator<@Nullable String> variable) {
    String exporter = variable.apply(setting);
    return exporter != null && !exporter.equals("none");
  }

  public Tracer tracer() {
    return tracer;
  }

  /** Reads and writes the headers that carry a trace. */
  public TextMapPropagator propagator() {
    return propagator;
  }

  /** A client whose calls are counted, and spans where documents are traced. */
  public ModelClient around(ModelClient next) {
    return new TracingModelClient(next, tracer, usage, content);
  }

  /** An embedder, likewise. */
  public Embedder around(Embedder next) {
    return Embedder.of(next.name(), texts -> traced(next, texts));
  }

  private EmbeddingAnswer traced(Embedder next, List<String> texts) throws InterruptedException {
    String name = next.name();
    Span span =
        isInTrace()
            ? TracingModelClient.builder(tracer, "embeddings", name).startSpan()
            : Span.getInvalid();
    try {
      EmbeddingAnswer answer = next.embed(texts);
      usage.add("embeddings", name, answer.tokens(), answer.cost());
      TracingModelClient.end(span, answer.tokens(), answer.cost(), answer.failure());
      return answer;
    } finally {
      span.end();
    }
  }

  /** An executor in which each semantic operator is a span. */
  public OperatorExecutor around(OperatorExecutor next) {
    return (operator, technique, document, client) -> {
      if (!operator.isSemantic() || !isInTrace()) {
        return next.execute(operator, technique, document, client);
      }
      Span span =
          tracer
              .spanBuilder(operator.kind() + " " + operator.id())
              .setAttribute("abacus.operator", operator.id())
              .setAttribute("abacus.implementation", technique.id())
              .startSpan();
      try (Scope _ = span.makeCurrent()) {
        OperatorOutcome outcome = next.execute(operator, technique, document, client);
        span.setAttribute("abacus.cost.usd", outcome.stats().cost());
        if (outcome instanceof OperatorOutcome.Failed failed) {
          span.setStatus(StatusCode.ERROR);
          span.setAttribute("error.type", failed.failure().getClass().getSimpleName());
        }
        return outcome;
      } finally {
        span.end();
      }
    };
  }

  /**
   * Starts a trace for work beside documents: a sample or a judgement.
   *
   * @param about the context of the document that the work is about, which the span links to;
   *     {@link Context#root} if there is none
   */
  public BesideWork beside(String name, Context about) {
    SpanBuilder builder = tracer.spanBuilder(name).setNoParent();
    SpanContext document = Span.fromContext(about).getSpanContext();
    if (document.isValid()) {
      builder.addLink(document);
    }
    return new BesideWork(builder.startSpan());
  }

  /**
   * Records what a judge found, as the event {@code gen_ai.evaluation.result} of OpenTelemetry's
   * conventions for generative AI, in the trace of the document that it is about.
   *
   * @param about what was scored
   * @param quality in [0, 1]
   */
  public void evaluated(Context document, Attributes about, double quality) {
    telemetry
        .getLogsBridge()
        .get("dev.abacus")
        .logRecordBuilder()
        .setContext(document)
        .setEventName("gen_ai.evaluation.result")
        .setAllAttributes(about)
        .setAttribute("gen_ai.evaluation.name", "quality")
        .setAttribute("gen_ai.evaluation.score.value", quality)
        .emit();
  }

  /** A span of work beside documents, current in the thread that opened it until it is closed. */
  public static final class BesideWork implements AutoCloseable {

    private final Span span;
    private final Scope scope;

    @SuppressWarnings("MustBeClosedChecker") // close() closes the scope
    private BesideWork(Span span) {
      this.span = span;
      this.scope = span.makeCurrent();
    }

    /** The span; one that records nothing if traces are off. */
    public Span span() {
      return span;
    }

    @Override
    public void close() {
      scope.close();
      span.end();
    }
  }

  static boolean isInTrace() {
    return Span.fromContextOrNull(Context.current()) != null;
  }

  /** Sends the spans that wait. */
  @Override
  public void close() {
    close.run();
  }
}
