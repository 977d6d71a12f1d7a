package dev.abacus.topology.operator.join;

import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.prompt.Execution;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the items of a reference that are most similar to a document. */
final class SimilaritySearch {

  static final Comparator<Candidate> BEST_FIRST =
      Comparator.comparingDouble(Candidate::similarity)
          .reversed()
          .thenComparing(candidate -> candidate.item().id());

  private SimilaritySearch() {}

  /**
   * The k items that are most similar to any of the texts and images of an input, best first, then
   * by key.
   *
   * @throws OperatorFailedException if the reference cannot be searched, or if the embedder fails
   */
  static List<Candidate> nearest(
      Execution execution, String name, int k, EmbeddingInput input, ReferenceView reference)
      throws InterruptedException, OperatorFailedException {
    Map<String, Candidate> best = new HashMap<>();
    for (Embedding query : embed(execution, name, input, reference)) {
      for (Candidate found : reference.nearest(name, query, k)) {
        best.merge(found.item().id(), found, (a, b) -> a.similarity() >= b.similarity() ? a : b);
      }
    }
    return best.values().stream().sorted(BEST_FIRST).limit(k).toList();
  }

  /**
   * Embeds an input and checks that the reference supports search with these vectors.
   *
   * @throws OperatorFailedException if it does not, or if the embedder fails
   */
  static List<Embedding> embed(
      Execution execution, String name, EmbeddingInput input, ReferenceView reference)
      throws InterruptedException, OperatorFailedException {
    Embedder embedder = execution.embedder(name);
    List<Embedding> queries = new ArrayList<>();
    if (!input.texts().isEmpty()) {
      queries.addAll(execution.embed(name, input.texts()));
    }
    if (!input.files().isEmpty()) {
      queries.addAll(execution.embeddings(name, embedder.refusedImages()));
    }
    for (Embedding query : queries) {
      String obstacle = reference.obstacle(name, query.dimensions());
      if (obstacle != null) {
        throw OperatorFailedException.unusablePlan(obstacle);
      }
    }
    return queries;
  }
}
