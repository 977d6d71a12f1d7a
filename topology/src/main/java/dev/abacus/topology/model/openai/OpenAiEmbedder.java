package dev.abacus.topology.model.openai;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.Tokens;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.model.output.TokenUsage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Embeds through an OpenAI-compatible endpoint, once per call. A text longer than the model takes
 * is cut, by the model's own count of tokens as far as we know it.
 */
public final class OpenAiEmbedder implements Embedder {

  private static final java.time.Duration TIMEOUT = ModelRequest.DEFAULT_TIMEOUT;

  private final ModelCard card;
  private final @Nullable ModelFailure missingKey;
  private final OpenAiEmbeddingModel model;

  /** The embedder of that card. */
  public OpenAiEmbedder(ModelCard card, Endpoints endpoints) {
    this(card, endpoints, new HttpTransport(java.time.Clock.systemUTC()));
  }

  OpenAiEmbedder(ModelCard card, Endpoints endpoints, HttpTransport transport) {
    this.card = card;
    this.missingKey = endpoints.missingKey(card);
    Endpoint endpoint = endpoints.of(card);
    this.model =
        OpenAiEmbeddingModel.builder()
            .httpClientBuilder(transport.asBuilder())
            .baseUrl(endpoint.baseUrl())
            .apiKey(endpoint.key())
            .modelName(card.nameAtEndpoint())
            .maxRetries(0)
            .build();
  }

  @Override
  public String name() {
    return card.name();
  }

  @Override
  public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
    if (texts.isEmpty()) {
      return new EmbeddingAnswer.Success(List.of(), 0, 0, 0);
    }
    if (missingKey != null) {
      return new EmbeddingAnswer.Failed(missingKey, 0, 0, 0);
    }
    long start = System.nanoTime();
    try {
      List<TextSegment> segments = texts.stream().map(this::segment).toList();
      Response<List<dev.langchain4j.data.embedding.Embedding>> response =
          ScopedValue.where(Deadline.CURRENT, Deadline.in(TIMEOUT))
              .call(() -> model.embedAll(segments));
      return read(response, texts, secondsSince(start));
    } catch (RuntimeException e) {
      return new EmbeddingAnswer.Failed(FailureClassifier.classify(e), 0, secondsSince(start), 1);
    }
  }

  private EmbeddingAnswer read(
      Response<List<dev.langchain4j.data.embedding.Embedding>> response,
      List<String> texts,
      double latency) {
    TokenUsage usage = response.tokenUsage();
    long tokens =
        usage == null || usage.inputTokenCount() == null
            ? texts.stream().mapToLong(Tokens::count).sum()
            : usage.inputTokenCount();
    double cost = card.cost(tokens, 0, 0);
    if (response.content().size() != texts.size()) {
      return new EmbeddingAnswer.Failed(
          new ModelFailure.Malformed(
              response.content().size() + " vectors for " + texts.size() + " texts"),
          cost,
          latency,
          1);
    }
    List<Embedding> embeddings =
        response.content().stream().map(each -> Embedding.of(each.vector())).toList();
    return new EmbeddingAnswer.Success(embeddings, cost, latency, 1);
  }

  private TextSegment segment(String text) {
    return TextSegment.from(Tokens.cut(text.isBlank() ? "." : text, card.contextTokens()));
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
