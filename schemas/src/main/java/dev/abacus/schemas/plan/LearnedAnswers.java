package dev.abacus.schemas.plan;

/**
 * A classifier that answers for an implementation of an operator where it is confident. It has
 * learnt from its answers to live documents, and travels in the plan, so that a document meets the
 * same one on every worker and after a crash.
 *
 * @param question identifies operator and implementation ({@code LiveAnswer.question}); the
 *     classifier answers no other
 * @param embedder name of the embedding model
 * @param audit share of the documents that the classifier could answer and that the implementation
 *     answers all the same, in (0, 1)
 */
public record LearnedAnswers(
    String question, String embedder, double audit, TrainedClassifier classifier) {
  public LearnedAnswers {
    if (!(audit > 0 && audit < 1)) {
      throw new IllegalArgumentException(
          "a classifier of whose answers a share of %s is audited".formatted(audit));
    }
  }
}
