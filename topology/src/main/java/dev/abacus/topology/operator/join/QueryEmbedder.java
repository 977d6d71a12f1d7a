package dev.abacus.topology.operator.join;

import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.prompt.Execution;
import java.util.ArrayList;
import java.util.List;

/** Embeds the queries of a document to a reference. */
record QueryEmbedder(Embedders embedders) {

  /**
   * Embeds an input and checks that the reference supports search with these vectors.
   *
   * @throws OperatorFailedException if it does not, or if the embedder fails
   */
  List<Embedding> embed(
      Execution execution, String name, EmbeddingInput input, ReferenceView reference)
      throws InterruptedException, OperatorFailedException {
    Embedder embedder = Execution.embedder(embedders, name);
    List<Embedding> queries = new ArrayList<>();
    if (!input.texts().isEmpty()) {
      queries.addAll(execution.embed(embedder, input.texts()));
    }
    if (!input.images().isEmpty()) {
      queries.addAll(execution.embeddings(embedder, embedder.embedImages(input.images())));
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
