package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.plan.ReducedContext;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * One call of one model with the chunks of the document that are most similar to the task (paper,
 * section 4.1, "Reduced context").
 *
 * <pre>
 *   text fields ──► chunks ──┐
 *                            ├─► embedder ──► k most similar, in document order ──► model ──► output
 *   task ────────────────────┘
 * </pre>
 *
 * <p>All chunks and the task are embedded in one batch. A document of at most k chunks is shown
 * whole, without embedding.
 */
final class ReducedContextExecutor {

  private ReducedContextExecutor() {}

  static <A> OperatorOutcome run(SemanticCall<A> call, ReducedContext technique, TokenChunks tokens)
      throws InterruptedException, OperatorFailedException {
    ChunkedDocument chunked = ChunkedDocument.of(call.input(), technique.chunkTokens(), tokens);
    List<String> chunks = chunked.texts();
    if (chunks.size() <= technique.k()) {
      return call.answer(technique.model());
    }
    List<String> texts = new ArrayList<>();
    texts.add(call.operator().topic());
    texts.addAll(chunks);
    Set<Integer> kept =
        mostSimilar(call.execution().embed(technique.embedder(), texts), technique.k());
    return call.withInput(chunked.keep(kept)).answer(technique.model());
  }

  /**
   * The indexes of the k chunks most similar to the task; of equally similar chunks the earlier.
   *
   * @param embeddings the task, then the chunks
   */
  private static Set<Integer> mostSimilar(List<Embedding> embeddings, int k) {
    Embedding task = embeddings.getFirst();
    double[] similarity =
        embeddings.stream().skip(1).mapToDouble(chunk -> chunk.cosine(task)).toArray();
    Set<Integer> kept = new HashSet<>();
    IntStream.range(0, similarity.length)
        .boxed()
        .sorted(Comparator.comparingDouble(chunk -> -similarity[chunk]))
        .limit(k)
        .forEach(kept::add);
    return kept;
  }
}
