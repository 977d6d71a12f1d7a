package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.FewShot;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.ArrayList;
import java.util.List;

/**
 * A map or filter as one call of one model that sees solved examples. Parameters: model, number of
 * examples, and embedder if the examples are those most similar to the document.
 *
 * <pre>{@code
 * map, filter  ==>  k labelled examples, the whole input  →  model m
 * }</pre>
 *
 * <p>Preserves meaning: the model gets the whole task and the whole input. Does not fire for a
 * filter with a condition in code, because labels are those of the whole filter.
 */
final class ImplementWithFewShot implements ImplementationRule {

  private static final List<Integer> EXAMPLES = List.of(2, 6);

  /** Number of examples that are chosen by their similarity to the document. */
  private static final int SIMILAR = 4;

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap
        || (operator instanceof SemanticFilter filter && filter.where() == null);
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    List<PhysicalOperator> all =
        new ArrayList<>(choices.perModel(EXAMPLES, (model, k) -> new FewShot(model, k, null)));
    for (String model : choices.models()) {
      for (String embedder : choices.embedders()) {
        all.add(new FewShot(model, SIMILAR, embedder, null));
      }
    }
    return all;
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
