package dev.abacus.topology;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelListener;
import dev.abacus.topology.model.ModelProvider;
import dev.abacus.topology.model.ReceiptingModelClient;
import dev.abacus.topology.model.Retries;
import dev.abacus.topology.model.RoutingModelClient;
import dev.abacus.topology.model.UninterruptedModelClient;
import dev.abacus.topology.model.embedding.CachingEmbedder;
import dev.abacus.topology.model.embedding.EmbeddingCache;
import dev.abacus.topology.model.embedding.MiniLmEmbedder;
import dev.abacus.topology.model.image.ImageModelClient;
import dev.abacus.topology.model.image.ImagePolicy;
import dev.abacus.topology.model.openai.Endpoints;
import dev.abacus.topology.model.openai.OpenAiProvider;
import dev.abacus.topology.model.token.ContextGuard;
import dev.abacus.topology.model.token.TokenCounter;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The models of a process: the clients of all providers, with their decorators in the right order.
 * Each document adds a {@link ReceiptingModelClient} in front of {@link #client}.
 *
 * @param client checks the context, retries, fetches images, reports every attempt, and calls the
 *     model's provider
 * @param embedders the embedding models of the catalogue, with cache, retries and reports
 */
public record ModelAccess(ModelClient client, Embedders embedders) {

  /**
   * Connects to the models of a catalogue. A new provider is added here.
   *
   * @param endpoints addresses and keys of OpenAI-compatible models
   * @param listener hears of every attempt
   */
  public static ModelAccess of(
      ModelCatalogue catalogue,
      Endpoints endpoints,
      ImagePolicy images,
      Retries retries,
      ModelListener listener) {
    EmbeddingCache cache = new EmbeddingCache(EmbeddingCache.DEFAULT_BYTES);
    List<ModelProvider> providers =
        List.of(new MiniLmEmbedder.Provider(cache), new OpenAiProvider(endpoints));
    ModelClient observed =
        listener.around(new UninterruptedModelClient(new RoutingModelClient(catalogue, providers)));
    ModelClient retried = retries.around(new ImageModelClient(observed, images));
    List<Embedder> embedders =
        catalogue.ofKind(ModelCard.Kind.EMBEDDING).stream()
            .flatMap(card -> embedder(card, providers))
            .map(embedder -> retries.around(listener.around(embedder)))
            .<Embedder>map(embedder -> new CachingEmbedder(embedder, cache))
            .toList();
    return new ModelAccess(
        new ContextGuard(retried, TokenCounter.of(catalogue)), Embedders.of(embedders));
  }

  private static Stream<Embedder> embedder(ModelCard card, List<ModelProvider> providers) {
    return providers.stream()
        .map(provider -> provider.embedder(card))
        .filter(Objects::nonNull)
        .limit(1);
  }
}
