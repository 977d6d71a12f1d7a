package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.prompt.Execution;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Chooses the examples that are most similar to a document, by the cosine of their embeddings; of
 * equally similar ones the earlier. The choice follows from document and examples, so a call that
 * is repeated after a crash has the same prompt. The embedders of a process keep the vectors of the
 * examples, so each is embedded once.
 */
final class SimilarExamples {

  private SimilarExamples() {}

  /**
   * Chooses examples. Their embedding is paid for, but it is no part of the cost of a document.
   *
   * @param number of examples
   * @return the examples, the most similar first
   * @throws OperatorFailedException if the embedder is unknown or fails
   */
  static List<SolvedExample> choose(
      Execution execution, String embedder, Document document, List<SolvedExample> pool, int number)
      throws InterruptedException, OperatorFailedException {
    String text = EmbeddingFeatures.text(document);
    if (text.isEmpty() || pool.size() <= number) {
      return pool.subList(0, Math.min(number, pool.size()));
    }
    List<Embedding> vectors = embed(execution, embedder, pool);
    Embedding query = execution.embed(embedder, List.of(text)).getFirst();
    return IntStream.range(0, pool.size())
        .boxed()
        .sorted(Comparator.comparingDouble(example -> -query.cosine(vectors.get(example))))
        .limit(number)
        .map(pool::get)
        .toList();
  }

  private static List<Embedding> embed(
      Execution execution, String embedder, List<SolvedExample> pool)
      throws InterruptedException, OperatorFailedException {
    List<String> texts =
        pool.stream().map(example -> EmbeddingFeatures.text(example.input())).toList();
    EmbeddingAnswer answer = execution.embedder(embedder).embed(texts);
    if (answer instanceof EmbeddingAnswer.Success success) {
      execution.add(new ExecutionStats(0, answer.cost(), 0, 0, answer.tokens()));
      return success.embeddings();
    }
    return execution.embeddings(embedder, answer);
  }
}
