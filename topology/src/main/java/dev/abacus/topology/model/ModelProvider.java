package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.ModelCard;
import org.jspecify.annotations.Nullable;

/**
 * Creates clients for the models that one kind of API serves. To add a provider, implement this
 * interface in a package of its own and list the implementation in {@code ModelAccess}. Providers
 * are asked in the order of that list; the first that serves a card is used.
 *
 * <p>Clients and embedders make one attempt per call and report failures as values. Retries,
 * metering, caching and limits are decorators around them.
 */
public interface ModelProvider {

  /** A client for this chat model; null if the provider does not serve it. */
  @Nullable ModelClient chatClient(ModelCard card);

  /** An embedder for this embedding model; null if the provider does not serve it. */
  @Nullable Embedder embedder(ModelCard card);
}
