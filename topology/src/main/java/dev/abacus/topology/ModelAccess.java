package dev.abacus.topology;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.topology.model.ContextGuard;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.MeteredEmbedder;
import dev.abacus.topology.model.MeteredModelClient;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelListener;
import dev.abacus.topology.model.ReceiptingModelClient;
import dev.abacus.topology.model.RetryPolicy;
import dev.abacus.topology.model.RetryingEmbedder;
import dev.abacus.topology.model.RetryingModelClient;
import dev.abacus.topology.model.Sleeper;
import dev.abacus.topology.model.embedding.CachingEmbedder;
import dev.abacus.topology.model.embedding.EmbeddingCache;
import dev.abacus.topology.model.embedding.MiniLmEmbedder;
import dev.abacus.topology.model.image.ImageModelClient;
import dev.abacus.topology.model.image.ImagePolicy;
import dev.abacus.topology.model.openai.Endpoints;
import dev.abacus.topology.model.openai.OpenAiEmbedder;
import dev.abacus.topology.model.openai.OpenAiModelClient;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Everything that a process needs to call models, put together in the right order. Documents wrap
 * {@link #client} in a {@link ReceiptingModelClient} of their own.
 *
 * @param client checks the context, retries, fetches images, meters every attempt, calls the
 *     endpoint
 * @param embedders all embedding models of the catalogue, cached, retried and metered
 */
public record ModelAccess(ModelClient client, Embedders embedders) {

  /**
   * Access to the models of a catalogue.
   *
   * @param random for the jitter of retries; safe for use by many threads
   */
  public static ModelAccess to(
      ModelCatalogue catalogue,
      Endpoints endpoints,
      RetryPolicy policy,
      ModelListener listener,
      RandomGenerator random) {
    return to(catalogue, endpoints, ImagePolicy.BY_REFERENCE, policy, listener, random);
  }

  /**
   * Access to the models of a catalogue.
   *
   * @param images where images may come from, and who fetches them
   * @param random for the jitter of retries; safe for use by many threads
   */
  public static ModelAccess to(
      ModelCatalogue catalogue,
      Endpoints endpoints,
      ImagePolicy images,
      RetryPolicy policy,
      ModelListener listener,
      RandomGenerator random) {
    Sleeper pause = Sleeper.sleeping();
    ModelClient metered =
        new MeteredModelClient(new OpenAiModelClient(catalogue, endpoints), listener);
    ModelClient seeing = new ImageModelClient(metered, images);
    ModelClient retrying = new RetryingModelClient(seeing, policy, pause, random);
    EmbeddingCache cache = new EmbeddingCache(EmbeddingCache.DEFAULT_BYTES);
    List<Embedder> embedders = new ArrayList<>();
    for (ModelCard card : catalogue.ofKind(ModelCard.Kind.EMBEDDING)) {
      Embedder plain =
          inProcess(card) ? new MiniLmEmbedder(cache) : new OpenAiEmbedder(card, endpoints);
      Embedder retried =
          new RetryingEmbedder(new MeteredEmbedder(plain, listener), policy, pause, random);
      embedders.add(new CachingEmbedder(retried, cache));
    }
    return new ModelAccess(new ContextGuard(retrying, catalogue), Embedders.of(embedders));
  }

  /** A card of that name with an endpoint of its own replaces the model in this process. */
  private static boolean inProcess(ModelCard card) {
    return card.name().equals(MiniLmEmbedder.NAME) && card.endpoint() == null;
  }
}
