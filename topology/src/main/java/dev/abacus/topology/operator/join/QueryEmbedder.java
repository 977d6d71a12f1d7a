package dev.abacus.topology.operator.join;

import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorFailure;
import java.util.ArrayList;
import java.util.List;

/** Embeds what a document asks of a reference. */
final class QueryEmbedder {

  /** What came of it. */
  sealed interface Answer {
    ExecutionStats stats();

    record Embedded(List<Embedding> queries, ExecutionStats stats) implements Answer {}

    record NotEmbedded(OperatorFailure failure, ExecutionStats stats) implements Answer {}
  }

  private final Embedders embedders;

  QueryEmbedder(Embedders embedders) {
    this.embedders = embedders;
  }

  /** Embeds the values, and checks that the reference can be searched with the vectors. */
  Answer embed(String name, EmbeddingInput values, ReferenceView view) throws InterruptedException {
    Embedder embedder = embedders.find(name);
    if (embedder == null) {
      return unusable("there is no embedder '" + name + "'", ExecutionStats.NONE);
    }
    List<Embedding> queries = new ArrayList<>();
    ExecutionStats stats = ExecutionStats.NONE;
    for (EmbeddingAnswer answer : answers(embedder, values)) {
      stats = stats.plus(ExecutionStats.ofEmbedding(answer));
      switch (answer) {
        case EmbeddingAnswer.Failed failed -> {
          return new Answer.NotEmbedded(
              new OperatorFailure.ModelFailed(name, failed.failure()), stats);
        }
        case EmbeddingAnswer.Success success -> queries.addAll(success.embeddings());
      }
    }
    for (Embedding query : queries) {
      String obstacle = view.obstacle(name, query.dimensions());
      if (obstacle != null) {
        return unusable(obstacle, stats);
      }
    }
    return new Answer.Embedded(queries, stats);
  }

  private static List<EmbeddingAnswer> answers(Embedder embedder, EmbeddingInput values)
      throws InterruptedException {
    List<EmbeddingAnswer> answers = new ArrayList<>();
    if (!values.texts().isEmpty()) {
      answers.add(embedder.embed(values.texts()));
    }
    if (!values.images().isEmpty()) {
      answers.add(embedder.embedImages(values.images()));
    }
    return answers;
  }

  private static Answer unusable(String message, ExecutionStats stats) {
    return new Answer.NotEmbedded(new OperatorFailure.UnusablePlan(message), stats);
  }
}
