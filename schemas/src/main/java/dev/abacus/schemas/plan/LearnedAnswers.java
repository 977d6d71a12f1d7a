package dev.abacus.schemas.plan;

import java.util.List;

/**
 * Classifiers that answer for an implementation of an operator where they are confident. They have
 * learnt from its answers to live documents, and travel in the plan, so that a document meets the
 * same ones on every worker and after a crash.
 *
 * <p>The first classifier that is confident answers. Each was tested on documents that those before
 * it had left to the implementation, so the share of its answers that agree with the implementation
 * does not depend on those behind it.
 *
 * @param question identifies operator and implementation ({@code LiveAnswer.question}); the
 *     classifiers answer no other
 * @param embedder name of the embedding model
 * @param audit share of the documents that the classifiers could answer and that the implementation
 *     answers all the same, in (0, 1)
 * @param classifiers in the order in which they are asked; at least one
 */
public record LearnedAnswers(
    String question, String embedder, double audit, List<TrainedClassifier> classifiers) {
  public LearnedAnswers {
    classifiers = List.copyOf(classifiers);
    if (classifiers.isEmpty() || !(audit > 0 && audit < 1)) {
      throw new IllegalArgumentException(
          "%d classifiers, of whose answers a share of %s is audited"
              .formatted(classifiers.size(), audit));
    }
  }
}
