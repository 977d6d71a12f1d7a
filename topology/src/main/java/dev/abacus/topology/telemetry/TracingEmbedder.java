package dev.abacus.topology.telemetry;

import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbeddingAnswer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import java.util.List;

/** Makes each call of an embedding model a span, as {@link TracingModelClient} does. */
final class TracingEmbedder implements Embedder {

  private final Embedder next;
  private final Tracer tracer;

  TracingEmbedder(Embedder next, Tracer tracer) {
    this.next = next;
    this.tracer = tracer;
  }

  @Override
  public String name() {
    return next.name();
  }

  @Override
  public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
    if (!Tracing.isInTrace()) {
      return next.embed(texts);
    }
    Span span = TracingModelClient.builder(tracer, "embeddings", name()).startSpan();
    try {
      EmbeddingAnswer answer = next.embed(texts);
      TracingModelClient.end(span, answer.tokens(), answer.cost(), answer.failure());
      return answer;
    } finally {
      span.end();
    }
  }
}
