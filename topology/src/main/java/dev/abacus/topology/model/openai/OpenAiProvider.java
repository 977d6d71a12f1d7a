package dev.abacus.topology.model.openai;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelProvider;
import java.time.Clock;

/**
 * Serves every model of the catalogue through OpenAI-compatible endpoints. All clients share one
 * pool of connections.
 */
public final class OpenAiProvider implements ModelProvider {

  private final Endpoints endpoints;
  private final HttpTransport transport;

  /** A provider with connections of its own. */
  public OpenAiProvider(Endpoints endpoints) {
    this.endpoints = endpoints;
    this.transport = new HttpTransport(Clock.systemUTC());
  }

  @Override
  public ModelClient chatClient(ModelCard card) {
    return new OpenAiModelClient(card, endpoints, transport);
  }

  @Override
  public Embedder embedder(ModelCard card) {
    return new OpenAiEmbedder(card, endpoints, transport);
  }
}
