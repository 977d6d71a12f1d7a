package dev.abacus.topology.operator.technique;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.operator.ExecutionStats;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the examples that are most similar to a document, by the cosine of their embeddings; of
 * equally similar ones the earlier. The choice follows from document and examples, so a call that
 * is repeated after a crash has the same prompt. Embeds each example once. Thread-safe.
 */
final class SimilarExamples {

  private static final int MAX_CACHED = 5_000;

  /** The embedded text of an example, by a model. */
  private record Key(String embedder, String text) {}

  /** The result of a choice. */
  sealed interface Choice {

    /** The examples, the most similar first. */
    record Chosen(List<SolvedExample> examples, ExecutionStats stats) implements Choice {}

    /** The embedder failed. */
    record Failed(EmbeddingAnswer.Failed answer, ExecutionStats stats) implements Choice {}
  }

  private final Cache<Key, Embedding> embedded =
      Caffeine.newBuilder().maximumSize(MAX_CACHED).build();

  /**
   * Chooses examples. Their embedding is paid for, but it is no part of the cost of a document.
   *
   * @param number of examples
   */
  Choice choose(Embedder embedder, Document document, List<SolvedExample> pool, int number)
      throws InterruptedException {
    String text = EmbeddingFeatures.text(document);
    if (text.isEmpty() || pool.size() <= number) {
      return new Choice.Chosen(first(pool, number), ExecutionStats.NONE);
    }
    Map<SolvedExample, Embedding> vectors = new HashMap<>();
    EmbeddingAnswer ofPool = embed(embedder, pool, vectors);
    if (ofPool instanceof EmbeddingAnswer.Failed failed) {
      return new Choice.Failed(failed, ExecutionStats.ofEmbedding(failed));
    }
    ExecutionStats paid =
        ofPool == null
            ? ExecutionStats.NONE
            : new ExecutionStats(0, ofPool.cost(), 0, 0, ofPool.tokens());
    EmbeddingAnswer answer = embedder.embed(List.of(text));
    ExecutionStats stats = ExecutionStats.ofEmbedding(answer).plus(paid);
    return switch (answer) {
      case EmbeddingAnswer.Failed failed -> new Choice.Failed(failed, stats);
      case EmbeddingAnswer.Success success -> {
        Embedding query = success.embeddings().getFirst();
        yield new Choice.Chosen(
            first(
                pool.stream()
                    .sorted(
                        Comparator.comparingDouble(
                            example -> -query.cosine(Objects.requireNonNull(vectors.get(example)))))
                    .toList(),
                number),
            stats);
      }
    };
  }

  private static List<SolvedExample> first(List<SolvedExample> examples, int number) {
    return examples.subList(0, Math.min(number, examples.size()));
  }

  /**
   * Adds the vectors of the examples; returns the answer of the embedder, null if all are known.
   */
  private @Nullable EmbeddingAnswer embed(
      Embedder embedder, List<SolvedExample> pool, Map<SolvedExample, Embedding> vectors)
      throws InterruptedException {
    List<SolvedExample> unknown = new ArrayList<>();
    for (SolvedExample example : pool) {
      Embedding known = embedded.getIfPresent(key(embedder, example));
      if (known == null) {
        unknown.add(example);
      } else {
        vectors.put(example, known);
      }
    }
    if (unknown.isEmpty()) {
      return null;
    }
    EmbeddingAnswer answer =
        embedder.embed(
            unknown.stream().map(example -> EmbeddingFeatures.text(example.input())).toList());
    if (answer instanceof EmbeddingAnswer.Success success) {
      for (int i = 0; i < unknown.size(); i++) {
        Embedding vector = success.embeddings().get(i);
        vectors.put(unknown.get(i), vector);
        embedded.put(key(embedder, unknown.get(i)), vector);
      }
    }
    return answer;
  }

  private static Key key(Embedder embedder, SolvedExample example) {
    return new Key(embedder.name(), EmbeddingFeatures.text(example.input()));
  }
}
