package dev.abacus.topology.model.embedding;

import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Embeds in this process with all-MiniLM-L6-v2 (quantised): no key, no cost, 384 dimensions.
 *
 * <p>The model drops whatever follows its 128th token without a word. So a longer text is split
 * into {@link TextChunks}, and the pieces' vectors are averaged, weighted by their length. The
 * cache knows the pieces, too: texts of different sizes that are cut out of one document share
 * them.
 */
public final class MiniLmEmbedder implements Embedder, AutoCloseable {

  /** Its name in the model catalogue. */
  public static final String NAME = "all-minilm-l6-v2";

  private final MiniLmModel model = new MiniLmModel();
  private final Embedder pieces;

  /** With a cache of its own for pieces. */
  public MiniLmEmbedder() {
    this(new EmbeddingCache(EmbeddingCache.DEFAULT_BYTES));
  }

  /** With that cache for pieces, which it may share with others. */
  public MiniLmEmbedder(EmbeddingCache cache) {
    this.pieces = new CachingEmbedder(model, cache);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public EmbeddingAnswer embed(List<String> texts) throws InterruptedException {
    List<List<String>> cut =
        texts.stream()
            .map(text -> TextChunks.of(text.isEmpty() ? " " : text, TextChunks.SIZE))
            .toList();
    Set<String> all = new LinkedHashSet<>();
    cut.forEach(all::addAll);
    List<String> order = List.copyOf(all);
    return switch (pieces.embed(order)) {
      case EmbeddingAnswer.Failed failed -> failed;
      case EmbeddingAnswer.Success(var vectors, double cost, double latency, int attempts) -> {
        Map<String, Embedding> known =
            IntStream.range(0, order.size())
                .boxed()
                .collect(Collectors.toMap(order::get, vectors::get));
        yield new EmbeddingAnswer.Success(
            cut.stream().map(own -> mean(own, known::get)).toList(), cost, latency, attempts);
      }
    };
  }

  private static Embedding mean(List<String> pieces, Function<String, Embedding> vectors) {
    if (pieces.size() == 1) {
      return vectors.apply(pieces.getFirst());
    }
    List<Embedding> parts = new ArrayList<>();
    List<Integer> weights = new ArrayList<>();
    for (String piece : pieces) {
      // What says nothing has a direction, too, which means nothing.
      if (!piece.isBlank()) {
        parts.add(vectors.apply(piece));
        weights.add(piece.length());
      }
    }
    return parts.isEmpty() ? vectors.apply(pieces.getFirst()) : Embedding.mean(parts, weights);
  }

  @Override
  public void close() {
    model.close();
  }
}
