package dev.abacus.topology.model;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import java.util.List;
import java.util.Objects;

/**
 * The traces of the documents that share one call. A span has one parent: the call is in the trace
 * of the first document and links to those of the others.
 */
public final class SharedCallTraces {

  private static final ContextKey<List<SpanContext>> OTHERS =
      ContextKey.named("abacus-shared-call");

  private SharedCallTraces() {}

  /** The context of a call for documents in these contexts; at least one. */
  public static Context of(List<Context> documents) {
    List<SpanContext> others =
        documents.stream()
            .skip(1)
            .map(document -> Span.fromContext(document).getSpanContext())
            .filter(SpanContext::isValid)
            .distinct()
            .toList();
    return documents.getFirst().with(OTHERS, others);
  }

  /** The spans that a call in this context links to. */
  public static List<SpanContext> links(Context call) {
    return Objects.requireNonNullElse(call.get(OTHERS), List.of());
  }
}
