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
  private final TokenUsage usage;

  TracingEmbedder(Embedder next, Tracer tracer, TokenUsage usage) {
    this.next = next;
    this.tracer = tracer;
    this.usage = usage;
  }

  @Override
  public String name() {
    return next.name();
  }

  @Override
  public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
    if (!Tracing.isInTrace()) {
      return counted(texts);
    }
    Span span = TracingModelClient.builder(tracer, "embeddings", name()).startSpan();
    try {
      EmbeddingAnswer answer = counted(texts);
      TracingModelClient.end(span, answer.tokens(), answer.cost(), answer.failure());
      return answer;
    } finally {
      span.end();
    }
  }

  private EmbeddingAnswer counted(List<String> texts) throws InterruptedException {
    EmbeddingAnswer answer = next.embed(texts);
    usage.add("embeddings", name(), answer.tokens(), answer.cost());
    return answer;
  }
}
