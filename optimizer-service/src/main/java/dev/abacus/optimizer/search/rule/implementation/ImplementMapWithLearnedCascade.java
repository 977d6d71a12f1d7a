package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.AnswerClasses;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;

/**
 * A map with few possible values that a classifier on embeddings answers where it is sure, a model
 * where it is not: model × embedder × target. Beyond the paper (FrugalGPT, 2023).
 *
 * <pre>{@code
 *               embedder e, classifier ──sure──► its answer
 * map    ==>        |
 *                 not sure ──► one call of model m
 * }</pre>
 *
 * <p>Meaning is preserved: the classifier is trained on this map's own answers, and answers alone
 * only above a threshold at which the target share of its answers was right.
 */
public final class ImplementMapWithLearnedCascade implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap && AnswerClasses.of(operator) != null;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return Techniques.learnedCascade(choices);
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
