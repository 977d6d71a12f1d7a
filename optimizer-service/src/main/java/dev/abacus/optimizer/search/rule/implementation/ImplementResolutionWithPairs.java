package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PairwiseResolution;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.List;

/**
 * An entity resolution that decides each candidate. Parameters: model × embedder × k.
 *
 * <pre>{@code
 *               for each of the k items nearest by embedder e:
 * resolve ==>     model m: is it the same entity?
 *               the nearest item that is
 * }</pre>
 *
 * <p>Preserves meaning: the model evaluates the condition on each candidate; an entity outside of
 * the k nearest items is missed, which samples measure.
 */
final class ImplementResolutionWithPairs implements ImplementationRule {

  private static final List<Integer> CANDIDATES = List.of(5, 20);

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof EntityResolution;
  }

  @Override
  public boolean isInPaper() {
    return false;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (String embedder : choices.embedders()) {
      all.addAll(
          choices.perModel(CANDIDATES, (model, k) -> new PairwiseResolution(model, embedder, k)));
    }
    return all;
  }
}
