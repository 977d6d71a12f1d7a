package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Routes each request to the provider of its model. A client is created at the first request for
 * its model. A request for a model that is not in the catalogue, or that no provider serves, fails
 * with {@link ModelFailure.UnknownModel} without a call.
 */
public final class RoutingModelClient implements ModelClient {

  private final ModelCatalogue catalogue;
  private final List<ModelProvider> providers;
  private final Map<String, ModelClient> clients = new ConcurrentHashMap<>();

  /**
   * A client for all chat models of the catalogue.
   *
   * @param providers in the order in which they are asked
   */
  public RoutingModelClient(ModelCatalogue catalogue, List<? extends ModelProvider> providers) {
    this.catalogue = catalogue;
    this.providers = List.copyOf(providers);
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    ModelClient client = clients.computeIfAbsent(request.model(), this::create);
    return client == null
        ? ModelAnswer.Failed.withoutCall(
            new ModelFailure.UnknownModel(
                "the catalogue has no chat model '" + request.model() + "'"))
        : client.call(request);
  }

  private @Nullable ModelClient create(String model) {
    ModelCard card = catalogue.find(model);
    if (card == null || card.kind() != ModelCard.Kind.CHAT) {
      return null;
    }
    ModelProvider provider = ModelProvider.of(providers, card);
    return provider == null ? null : provider.chatClient(card);
  }
}
