package dev.abacus.topology.operator.technique;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.prompt.Execution;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Chooses the examples that are most similar to a document, by the cosine of their embeddings; of
 * equally similar ones the earlier. The choice follows from document and examples, so a call that
 * is repeated after a crash has the same prompt. Embeds each example once. Thread-safe.
 */
final class SimilarExamples {

  private static final int MAX_CACHED = 5_000;

  /** The embedded text of an example, by a model. */
  private record Key(String embedder, String text) {}

  private final Cache<Key, Embedding> embedded =
      Caffeine.newBuilder().maximumSize(MAX_CACHED).build();

  /**
   * Chooses examples. Their embedding is paid for, but it is no part of the cost of a document.
   *
   * @param number of examples
   * @return the examples, the most similar first
   * @throws OperatorFailedException if the embedder is unknown or fails
   */
  List<SolvedExample> choose(
      Execution execution, String embedder, Document document, List<SolvedExample> pool, int number)
      throws InterruptedException, OperatorFailedException {
    String text = EmbeddingFeatures.text(document);
    if (text.isEmpty() || pool.size() <= number) {
      return first(pool, number);
    }
    Map<SolvedExample, Embedding> vectors = embed(execution, embedder, pool);
    Embedding query = execution.embed(embedder, List.of(text)).getFirst();
    return first(
        pool.stream()
            .sorted(
                Comparator.comparingDouble(
                    example -> -query.cosine(Objects.requireNonNull(vectors.get(example)))))
            .toList(),
        number);
  }

  private static List<SolvedExample> first(List<SolvedExample> examples, int number) {
    return examples.subList(0, Math.min(number, examples.size()));
  }

  /** The vectors of the examples; embeds those that are not known. */
  private Map<SolvedExample, Embedding> embed(
      Execution execution, String embedder, List<SolvedExample> pool)
      throws InterruptedException, OperatorFailedException {
    Map<SolvedExample, Embedding> vectors = new HashMap<>();
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
      return vectors;
    }
    EmbeddingAnswer answer =
        execution
            .embedder(embedder)
            .embed(
                unknown.stream().map(example -> EmbeddingFeatures.text(example.input())).toList());
    switch (answer) {
      case EmbeddingAnswer.Failed _ -> execution.embeddings(embedder, answer);
      case EmbeddingAnswer.Success success -> {
        execution.add(new ExecutionStats(0, answer.cost(), 0, 0, answer.tokens()));
        for (int i = 0; i < unknown.size(); i++) {
          Embedding vector = success.embeddings().get(i);
          vectors.put(unknown.get(i), vector);
          embedded.put(key(embedder, unknown.get(i)), vector);
        }
      }
    }
    return vectors;
  }

  private static Key key(String embedder, SolvedExample example) {
    return new Key(embedder, EmbeddingFeatures.text(example.input()));
  }
}
