package dev.abacus.topology.model.openai;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.Tokens;
import dev.abacus.topology.model.openai.OpenAiProvider.ModelEndpoint;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.model.output.TokenUsage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls one embedding model through an OpenAI-compatible endpoint, one attempt per call. Texts that
 * exceed the context of the card are truncated by {@link Tokens}.
 */
final class OpenAiEmbedder implements Embedder {

  private final ModelCard card;
  private final @Nullable ModelFailure missingKey;
  private final OpenAiEmbeddingModel model;

  OpenAiEmbedder(ModelCard card, ModelEndpoint access) {
    this.card = card;
    this.missingKey = access.missingKey();
    this.model =
        OpenAiEmbeddingModel.builder()
            .httpClientBuilder(access.http())
            .baseUrl(access.endpoint().baseUrl())
            .apiKey(access.endpoint().bearerValue())
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
      return EmbeddingAnswer.Success.EMPTY;
    }
    if (missingKey != null) {
      return EmbeddingAnswer.Failed.withoutCall(missingKey);
    }
    long start = System.nanoTime();
    try {
      List<TextSegment> segments = texts.stream().map(this::segment).toList();
      HttpCall call =
          HttpCall.start(
              new HttpCall.Limits(card.access().limits().firstByteTimeout(), card.timeout(0)));
      Response<List<dev.langchain4j.data.embedding.Embedding>> response =
          call.run(() -> model.embedAll(segments));
      return answer(response, texts, secondsSince(start));
    } catch (RuntimeException e) {
      return new EmbeddingAnswer.Failed(FailureClassifier.classify(e), 0, secondsSince(start), 1);
    }
  }

  /** A segment for the endpoint; a blank text becomes ".", because endpoints refuse blank input. */
  private TextSegment segment(String text) {
    return TextSegment.from(Tokens.truncate(text.isBlank() ? "." : text, card.contextTokens()));
  }

  private EmbeddingAnswer answer(
      Response<List<dev.langchain4j.data.embedding.Embedding>> response,
      List<String> texts,
      double latency) {
    TokenUsage usage = response.tokenUsage();
    TokenCounts tokens =
        usage == null || usage.inputTokenCount() == null
            ? TokenCounts.estimated(texts.stream().mapToLong(Tokens::count).sum(), 0)
            : TokenCounts.of(Math.max(0, usage.inputTokenCount()), 0, 0);
    double cost = card.cost(tokens);
    int vectors = response.content().size();
    if (vectors != texts.size()) {
      return new EmbeddingAnswer.Failed(
          new ModelFailure.Malformed(vectors + " vectors for " + texts.size() + " texts"),
          tokens,
          cost,
          latency,
          1);
    }
    List<Embedding> embeddings =
        response.content().stream().map(each -> Embedding.of(each.vector())).toList();
    return new EmbeddingAnswer.Success(embeddings, tokens, cost, latency, 1);
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
