package dev.abacus.topology.operator;

import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.EmbeddingAnswer;
import java.util.ArrayList;
import java.util.List;

/** Embeds what a document asks of a reference. */
final class Queries {

  /** What came of it. */
  sealed interface Answer {
    Expense expense();

    record Embedded(List<Embedding> queries, Expense expense) implements Answer {}

    record NotEmbedded(OperatorFailure failure, Expense expense) implements Answer {}
  }

  private final Embedders embedders;

  Queries(Embedders embedders) {
    this.embedders = embedders;
  }

  /** Embeds the values, and checks that the reference can be searched with the vectors. */
  Answer embed(String name, QueryValues values, ReferenceView view) throws InterruptedException {
    Embedder embedder = embedders.find(name);
    if (embedder == null) {
      return unusable("there is no embedder '" + name + "'", Expense.NONE);
    }
    List<Embedding> queries = new ArrayList<>();
    Expense expense = Expense.NONE;
    for (EmbeddingAnswer answer : answers(embedder, values)) {
      expense = expense.plus(Expense.ofEmbedding(answer));
      switch (answer) {
        case EmbeddingAnswer.Failed failed -> {
          return new Answer.NotEmbedded(
              new OperatorFailure.ModelFailed(name, failed.failure()), expense);
        }
        case EmbeddingAnswer.Success success -> queries.addAll(success.embeddings());
      }
    }
    for (Embedding query : queries) {
      String obstacle = view.obstacle(name, query.dimensions());
      if (obstacle != null) {
        return unusable(obstacle, expense);
      }
    }
    return new Answer.Embedded(queries, expense);
  }

  private static List<EmbeddingAnswer> answers(Embedder embedder, QueryValues values)
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

  private static Answer unusable(String message, Expense expense) {
    return new Answer.NotEmbedded(new OperatorFailure.UnusablePlan(message), expense);
  }
}
