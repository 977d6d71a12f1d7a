package dev.abacus.topology.model.openai;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelProvider;
import dev.abacus.topology.model.RateLimits;
import dev.langchain4j.http.client.HttpClientBuilder;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Serves every model of the catalogue through OpenAI-compatible endpoints. All clients share one
 * pool of connections.
 */
public final class OpenAiProvider implements ModelProvider {

  private final Endpoints endpoints;
  private final BiConsumer<ModelCard, RateLimits> limits;
  private final Clock clock;
  private final HttpTransport transport;

  /** A provider with connections of its own, which reports no rate limits. */
  public OpenAiProvider(Endpoints endpoints) {
    this(endpoints, (_, _) -> {});
  }

  /**
   * A provider with connections of its own.
   *
   * @param limits hears of every rate limit that a response states, an answer or a refusal; called
   *     by many threads at once, must return quickly and must not throw
   */
  public OpenAiProvider(Endpoints endpoints, BiConsumer<ModelCard, RateLimits> limits) {
    this(endpoints, limits, Clock.systemUTC());
  }

  /** As {@link #OpenAiProvider(Endpoints, BiConsumer)}, with another clock. */
  public OpenAiProvider(
      Endpoints endpoints, BiConsumer<ModelCard, RateLimits> limits, Clock clock) {
    this.endpoints = endpoints;
    this.limits = limits;
    this.clock = clock;
    this.transport = new HttpTransport(endpoints.proxies(), clock);
  }

  @Override
  public boolean serves(ModelCard card) {
    return true;
  }

  @Override
  public ModelClient chatClient(ModelCard card) {
    return new OpenAiModelClient(card, endpoint(card), clock);
  }

  @Override
  public Embedder embedder(ModelCard card) {
    return new OpenAiEmbedder(card, endpoint(card)).uninterrupted();
  }

  @Override
  public @Nullable String missingKey(ModelCard card) {
    ModelFailure missing = endpoints.missingKey(card);
    return missing == null ? null : missing.message();
  }

  @Override
  public String address(ModelCard card) {
    return endpoints.of(card).baseUrl();
  }

  /** Asks {@code GET /models}. */
  @Override
  public @Nullable Set<String> served(ModelCard card) throws InterruptedException {
    return ServedModels.of(endpoint(card));
  }

  /**
   * Why no call of a model can succeed now: its key is missing or refused, or nobody answers at its
   * address; null otherwise. Calls no model.
   *
   * @param limit longest wait for the answer of the endpoint
   * @throws InterruptedException if the thread is interrupted
   */
  public @Nullable String refusal(ModelCard card, Duration limit) throws InterruptedException {
    ModelFailure failure = ServedModels.refusal(endpoint(card), card.nameAtEndpoint(), limit);
    return failure == null ? null : failure.message();
  }

  private ModelEndpoint endpoint(ModelCard card) {
    Endpoint endpoint = endpoints.of(card);
    return new ModelEndpoint(
        endpoint,
        endpoints.missingKey(card),
        transport.asBuilder(
            endpoint,
            card.promptCacheMarks() ? CacheMarks::mark : UnaryOperator.identity(),
            stated -> limits.accept(card, stated)));
  }

  /**
   * The access to one model.
   *
   * @param missingKey why the model cannot be called; null if it can
   * @param http builds the HTTP client for langchain4j
   */
  record ModelEndpoint(
      Endpoint endpoint, @Nullable ModelFailure missingKey, HttpClientBuilder http) {}
}
