package dev.abacus.topology.live;

import dev.abacus.schemas.kafka.RecordText;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.topology.execution.PlanOutcome;
import dev.abacus.topology.runtime.ImmutableHeader;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.telemetry.Tracing;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The span of a document in one segment, as OpenTelemetry's conventions for messaging state it. It
 * continues the trace in the headers of the record, and its outputs continue its own. It is the
 * current span of the thread that opened it, until it is closed.
 */
final class DocumentTrace implements AutoCloseable {

  private static final TextMapGetter<List<Header>> READER =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(List<Header> headers) {
          return headers.stream().map(Header::key).toList();
        }

        @Override
        public @Nullable String get(@Nullable List<Header> headers, String key) {
          return headers == null ? null : RecordText.header(headers, key);
        }
      };

  private final Tracing tracing;
  private final Span span;
  private final Scope scope;

  @SuppressWarnings("MustBeClosedChecker") // close() closes the scope
  private DocumentTrace(Tracing tracing, Span span) {
    this.tracing = tracing;
    this.span = span;
    this.scope = span.makeCurrent();
  }

  /**
   * Starts the span of a document.
   *
   * @param resumed whether the work on the document may have begun in another process
   */
  static DocumentTrace open(
      Tracing tracing, InputRecord input, PhysicalPlan plan, boolean resumed) {
    Context parent = tracing.propagator().extract(Context.root(), input.headers(), READER);
    String name = input.topic().isEmpty() ? plan.program() : input.topic();
    return new DocumentTrace(
        tracing,
        tracing
            .tracer()
            .spanBuilder("process " + name)
            .setSpanKind(SpanKind.CONSUMER)
            .setParent(parent)
            .setAttribute("messaging.system", "kafka")
            .setAttribute("messaging.operation.type", "process")
            .setAttribute("messaging.operation.name", "process")
            .setAttribute("messaging.destination.name", name)
            .setAttribute("messaging.destination.partition.id", String.valueOf(input.partition()))
            .setAttribute("messaging.kafka.offset", input.offset())
            .setAttribute("abacus.program", plan.program())
            .setAttribute("abacus.plan.epoch", plan.epoch())
            .setAttribute("abacus.resumed", resumed)
            .startSpan());
  }

  /** The record with the headers of this trace, which its outputs get. */
  InputRecord traced(InputRecord input) {
    Map<String, String> fields = new HashMap<>();
    tracing
        .propagator()
        .inject(
            Context.current(),
            fields,
            (all, key, value) -> {
              if (all != null) {
                all.put(key, value);
              }
            });
    if (fields.isEmpty()) {
      return input;
    }
    List<Header> headers = new ArrayList<>(input.headers());
    headers.removeIf(header -> fields.containsKey(header.key()));
    fields.forEach((key, value) -> headers.add(ImmutableHeader.of(key, value)));
    return new InputRecord(
        input.key(),
        input.value(),
        input.timestamp(),
        headers,
        input.topic(),
        input.partition(),
        input.offset());
  }

  /** States how the document left the segment. */
  void ended(PlanOutcome outcome) {
    span.setAttribute("abacus.cost.usd", outcome.stats().cost());
    switch (outcome) {
      case PlanOutcome.Result result -> {
        span.setAttribute("abacus.outcome", "result");
        span.setAttribute("abacus.outputs", result.documents().size());
      }
      case PlanOutcome.Filtered filtered -> {
        span.setAttribute("abacus.outcome", "filtered");
        span.setAttribute("abacus.operator", filtered.operator());
      }
      case PlanOutcome.Failed failed -> {
        span.setAttribute("abacus.outcome", "dead letter");
        span.setAttribute("abacus.operator", failed.operator());
        span.setAttribute("error.type", failed.failure().getClass().getSimpleName());
        span.setStatus(StatusCode.ERROR);
      }
    }
  }

  @Override
  public void close() {
    scope.close();
    span.end();
  }
}
