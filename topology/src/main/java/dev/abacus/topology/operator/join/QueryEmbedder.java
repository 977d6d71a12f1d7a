package dev.abacus.topology.operator.join;

import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorFailure;
import java.util.ArrayList;
import java.util.List;

/** Embeds the queries of a document to a reference. */
record QueryEmbedder(Embedders embedders) {

  /** A value that comes from embeddings, or a failure. */
  sealed interface Result<T> {

    /** The value. */
    record Success<T>(T value, ExecutionStats stats) implements Result<T> {}

    /** The failure of the operator. */
    record Failed<T>(OperatorFailure failure, ExecutionStats stats) implements Result<T> {}
  }

  /** Embeds an input and checks that the reference supports search with these vectors. */
  Result<List<Embedding>> embed(String name, EmbeddingInput input, ReferenceView reference)
      throws InterruptedException {
    Embedder embedder = embedders.find(name);
    if (embedder == null) {
      return unusable("there is no embedder '" + name + "'", ExecutionStats.NONE);
    }
    List<Embedding> queries = new ArrayList<>();
    ExecutionStats stats = ExecutionStats.NONE;
    for (EmbeddingAnswer answer : answers(embedder, input)) {
      stats = stats.plus(ExecutionStats.ofEmbedding(answer));
      switch (answer) {
        case EmbeddingAnswer.Failed failed -> {
          return new Result.Failed<>(
              new OperatorFailure.ModelFailed(name, failed.failure()), stats);
        }
        case EmbeddingAnswer.Success success -> queries.addAll(success.embeddings());
      }
    }
    for (Embedding query : queries) {
      String obstacle = reference.obstacle(name, query.dimensions());
      if (obstacle != null) {
        return unusable(obstacle, stats);
      }
    }
    return new Result.Success<>(queries, stats);
  }

  private static List<EmbeddingAnswer> answers(Embedder embedder, EmbeddingInput input)
      throws InterruptedException {
    List<EmbeddingAnswer> answers = new ArrayList<>();
    if (!input.texts().isEmpty()) {
      answers.add(embedder.embed(input.texts()));
    }
    if (!input.images().isEmpty()) {
      answers.add(embedder.embedImages(input.images()));
    }
    return answers;
  }

  private static Result<List<Embedding>> unusable(String message, ExecutionStats stats) {
    return new Result.Failed<>(new OperatorFailure.UnusablePlan(message), stats);
  }
}
