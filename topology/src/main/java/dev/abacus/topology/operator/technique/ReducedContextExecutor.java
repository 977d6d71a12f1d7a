package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.ReducedContext;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * One call of one model over the parts of the document that bear on the question (paper, section
 * 4.1, "Reduced context").
 *
 * <pre>
 *   text fields ──► chunks ──┐
 *                            ├─► embedder ──► k most similar, in document order ──► model ──► output
 *   question ────────────────┘
 * </pre>
 *
 * <p>All chunks and the question are embedded in one batch. A document of no more than k chunks is
 * shown whole, and nothing is embedded.
 */
final class ReducedContextExecutor implements OperatorExecutor<ReducedContext> {

  private final Embedders embedders;

  ReducedContextExecutor(Embedders embedders) {
    this.embedders = embedders;
  }

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, ReducedContext technique, Document document, ModelClient client)
      throws InterruptedException {
    return SemanticCall.with(
        operator,
        document,
        (question, read) -> {
          ChunkedDocument chunked = new ChunkedDocument(read, technique.chunkSize());
          String model = technique.model();
          if (chunked.texts().size() <= technique.k()) {
            return SemanticCall.ask(question, document, read, model, client, ExecutionStats.NONE);
          }
          Embedder embedder = embedders.find(technique.embedder());
          if (embedder == null) {
            return unknown(technique.embedder());
          }
          EmbeddingAnswer answer = embedder.embed(batch(question, chunked));
          ExecutionStats embedding = ExecutionStats.ofEmbedding(answer);
          return switch (answer) {
            case EmbeddingAnswer.Failed failed ->
                new OperatorOutcome.Failed(
                    new OperatorFailure.ModelFailed(embedder.name(), failed.failure()), embedding);
            case EmbeddingAnswer.Success success -> {
              Document shown = chunked.keep(closest(success.embeddings(), technique.k()));
              yield SemanticCall.ask(question, document, shown, model, client, embedding);
            }
          };
        });
  }

  private static OperatorOutcome unknown(String embedder) {
    return new OperatorOutcome.Failed(
        new OperatorFailure.UnusablePlan("there is no embedder '" + embedder + "'"),
        ExecutionStats.NONE);
  }

  /** The question first, then the chunks. */
  private static List<String> batch(OperatorPrompt<?> question, ChunkedDocument chunked) {
    List<String> texts = new ArrayList<>();
    texts.add(question.topic());
    texts.addAll(chunked.texts());
    return texts;
  }

  /** Numbers of the k chunks closest to the question; of equal ones the earlier. */
  private static Set<Integer> closest(List<Embedding> embeddings, int k) {
    Embedding question = embeddings.getFirst();
    double[] similarity =
        embeddings.stream().skip(1).mapToDouble(chunk -> chunk.cosine(question)).toArray();
    Set<Integer> closest = new HashSet<>();
    IntStream.range(0, similarity.length)
        .boxed()
        .sorted(Comparator.comparingDouble(chunk -> -similarity[chunk]))
        .limit(k)
        .forEach(closest::add);
    return closest;
  }
}
