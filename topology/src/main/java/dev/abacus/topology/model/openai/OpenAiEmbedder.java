package dev.abacus.topology.model.openai;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.openai.OpenAiProvider.ModelEndpoint;
import dev.abacus.topology.model.token.Tokenizer;
import dev.abacus.topology.model.token.Tokenizers;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.openai.OpenAiEmbeddingModel;
import dev.langchain4j.model.output.Response;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls one embedding model through an OpenAI-compatible endpoint, one attempt per call. Texts that
 * exceed the context of the card are truncated by its {@link Tokenizer}.
 */
final class OpenAiEmbedder implements Embedder {

  private final ModelCard card;
  private final Tokenizer tokenizer;
  private final @Nullable ModelFailure missingKey;
  private final FailureClassifier failures;
  private final OpenAiEmbeddingModel model;

  OpenAiEmbedder(ModelCard card, ModelEndpoint access) {
    this.card = card;
    this.tokenizer = Tokenizers.of(card);
    this.missingKey = access.missingKey();
    this.failures = new FailureClassifier(access.endpoint(), card.nameAtEndpoint(), false);
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
    HttpCall http = HttpCall.start(new HttpCall.Limits(card.firstByteTimeout(), card.timeout(0)));
    try {
      List<TextSegment> segments = texts.stream().map(this::segment).toList();
      Response<List<dev.langchain4j.data.embedding.Embedding>> response =
          http.run(() -> model.embedAll(segments));
      return answer(response, texts, http);
    } catch (RuntimeException e) {
      return new EmbeddingAnswer.Failed(failures.classify(e), stats(charged(texts, http), http));
    }
  }

  /** The tokens that a failed call is charged for, as for chat models. */
  private TokenCounts charged(List<String> texts, HttpCall http) {
    return http.response() == null && http.isProbablyCharged()
        ? estimated(texts)
        : RefusalBody.tokens(http.response());
  }

  private TokenCounts estimated(List<String> texts) {
    return TokenCounts.estimated(
        texts.stream().mapToLong(text -> tokenizer.count(text).tokens()).sum(), 0);
  }

  /** A segment for the endpoint; a blank text becomes ".", because endpoints refuse blank input. */
  private TextSegment segment(String text) {
    return TextSegment.from(tokenizer.truncate(text.isBlank() ? "." : text, card.contextTokens()));
  }

  private EmbeddingAnswer answer(
      Response<List<dev.langchain4j.data.embedding.Embedding>> response,
      List<String> texts,
      HttpCall http) {
    TokenCounts reported = RefusalBody.tokens(http.response());
    ExecutionStats stats = stats(reported.total() > 0 ? reported : estimated(texts), http);
    int vectors = response.content().size();
    if (vectors != texts.size()) {
      return new EmbeddingAnswer.Failed(
          new ModelFailure.Malformed(vectors + " vectors for " + texts.size() + " texts"), stats);
    }
    List<Embedding> embeddings =
        response.content().stream().map(each -> Embedding.of(each.vector())).toList();
    return new EmbeddingAnswer.Success(embeddings, stats);
  }

  private ExecutionStats stats(TokenCounts tokens, HttpCall http) {
    return new ExecutionStats(card.cost(tokens), http.seconds(), 1, tokens);
  }
}
