package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.LearnedCascade;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.ArrayList;
import java.util.List;

/**
 * A filter, or a map with few possible answers, as a classifier on embeddings with a model for the
 * uncertain cases. Parameters: model × embedder × target accuracy of the classifier. Not in the
 * paper (FrugalGPT, 2023). Sampling trains the classifier.
 *
 * <pre>{@code
 *                   embedder e, classifier ──confident──► its answer
 * map, filter  ==>      |
 *                     not confident ──► one call of model m
 * }</pre>
 *
 * <p>Preserves meaning: the classifier is trained on answers of this operator, and it decides only
 * above a confidence threshold at which its accuracy reached the target. Does not fire on a map
 * with an open set of answers, or on a filter with a condition in code, whose labels are not only
 * those of the condition that the model decides.
 */
final class ImplementWithLearnedCascade implements ImplementationRule {

  static final List<Double> TARGETS = List.of(0.9, 0.95);

  @Override
  public boolean matches(LogicalOperator operator) {
    return learnable(operator);
  }

  /** Whether a classifier can learn the answers of an operator. */
  static boolean learnable(LogicalOperator operator) {
    return (operator instanceof SemanticFilter filter && filter.where() == null)
        || (operator instanceof SemanticMap && AnswerClasses.of(operator) != null);
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (String model : choices.models()) {
      for (String embedder : choices.embedders()) {
        for (double target : TARGETS) {
          all.add(new LearnedCascade(model, embedder, target, null));
        }
      }
    }
    return all;
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
