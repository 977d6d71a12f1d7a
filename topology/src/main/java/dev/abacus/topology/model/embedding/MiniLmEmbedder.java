package dev.abacus.topology.model.embedding;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.EmbedderPart;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelProvider;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Embeds in this process with all-MiniLM-L6-v2 (quantized): no key, no cost, 384 dimensions.
 *
 * <p>The model reads at most 128 tokens. A longer text is split into {@link TextChunks}; its vector
 * is the mean of the chunks' vectors, weighted by their length. The cache holds chunks, because the
 * parts of one document share them.
 */
public final class MiniLmEmbedder implements Embedder, AutoCloseable {

  /** The name in the model catalogue. */
  public static final String NAME = ModelCard.IN_PROCESS_EMBEDDER;

  private final MiniLmModel model = new MiniLmModel();
  private final Embedder chunkEmbedder;

  /** An embedder with a cache of chunks, which other embedders may share. */
  public MiniLmEmbedder(EmbeddingCache cache) {
    this.chunkEmbedder = new CachingEmbedder(model, cache);
  }

  /**
   * Serves the card that {@linkplain ModelCard#isInProcess() needs no endpoint}. If {@link
   * EmbedderPart} is not installed, every call fails with the reason.
   *
   * @param cache of chunks, which other embedders may share
   */
  public record Provider(EmbeddingCache cache) implements ModelProvider {

    @Override
    public boolean serves(ModelCard card) {
      return card.kind() == ModelCard.Kind.EMBEDDING && card.isInProcess();
    }

    @Override
    public ModelClient chatClient(ModelCard card) {
      throw new IllegalArgumentException(card.name() + " embeds texts");
    }

    @Override
    public Embedder embedder(ModelCard card) {
      return EmbedderPart.isInstalled()
          ? new MiniLmEmbedder(cache)
          : Embedder.of(
              NAME,
              _ ->
                  new EmbeddingAnswer.Failed(
                      new ModelFailure.UnknownModel(EmbedderPart.MISSING),
                      new ExecutionStats(0, 0, 1)));
    }

    @Override
    public @Nullable String missingPart(ModelCard card) {
      return EmbedderPart.isInstalled() ? null : EmbedderPart.MISSING;
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
    List<List<String>> chunks =
        texts.stream()
            .map(text -> TextChunks.of(text.isEmpty() ? " " : text, TextChunks.SIZE))
            .toList();
    Set<String> distinct = new LinkedHashSet<>();
    chunks.forEach(distinct::addAll);
    List<String> batch = List.copyOf(distinct);
    return switch (chunkEmbedder.embed(batch)) {
      case EmbeddingAnswer.Failed failed -> failed;
      case EmbeddingAnswer.Success(List<Embedding> vectors, ExecutionStats stats) -> {
        Map<String, Embedding> byChunk =
            IntStream.range(0, batch.size())
                .boxed()
                .collect(Collectors.toMap(batch::get, vectors::get));
        yield new EmbeddingAnswer.Success(
            chunks.stream().map(own -> mean(own, byChunk::get)).toList(), stats);
      }
    };
  }

  /** The mean of the chunks that are not blank, since the vector of a blank chunk is arbitrary. */
  private static Embedding mean(List<String> chunks, Function<String, Embedding> vectors) {
    if (chunks.size() == 1) {
      return vectors.apply(chunks.getFirst());
    }
    List<Embedding> parts = new ArrayList<>();
    List<Integer> weights = new ArrayList<>();
    for (String chunk : chunks) {
      if (!chunk.isBlank()) {
        parts.add(vectors.apply(chunk));
        weights.add(chunk.length());
      }
    }
    return parts.isEmpty() ? vectors.apply(chunks.getFirst()) : Embedding.mean(parts, weights);
  }

  @Override
  public void close() {
    model.close();
  }
}
