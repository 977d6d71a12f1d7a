package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.ModelCard;
import java.util.List;
import java.util.Set;
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

  /** The first provider that serves a model; null if none does. */
  static @Nullable ModelProvider of(List<? extends ModelProvider> providers, ModelCard card) {
    return providers.stream().filter(one -> one.serves(card)).findFirst().orElse(null);
  }

  /** Whether the provider makes clients or embedders for this model. */
  boolean serves(ModelCard card);

  /** A client for a chat model that the provider serves. */
  ModelClient chatClient(ModelCard card);

  /** An embedder for an embedding model that the provider serves. */
  Embedder embedder(ModelCard card);

  /** Why the key of a model is missing; null if it is set, or if the model needs none. */
  default @Nullable String missingKey(ModelCard card) {
    return null;
  }

  /** Why an optional part that serves a model is not installed; null if none is missing. */
  default @Nullable String missingPart(ModelCard card) {
    return null;
  }

  /** The address of the endpoint of a card; null if the provider calls no endpoint for it. */
  default @Nullable String address(ModelCard card) {
    return null;
  }

  /**
   * The names of the models that the endpoint of a card serves now, as the endpoint names them
   * ({@link ModelCard#nameAtEndpoint()}). Asks the endpoint each time; takes at most 30 seconds.
   *
   * @return null if not known: the provider does not serve the card, the endpoint has no list of
   *     models, or it cannot be reached or refuses the key. A model is missing only if a list
   *     without it is returned.
   * @throws InterruptedException if the thread is interrupted
   */
  default @Nullable Set<String> served(ModelCard card) throws InterruptedException {
    return null;
  }
}
