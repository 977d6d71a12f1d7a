package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.StreamJoin;
import java.util.ArrayList;
import java.util.List;

/**
 * A join whose model sees labelled pairs. Parameters: model, and embedder for the pairs that
 * similarity decides.
 *
 * <pre>{@code
 *           for each document, for each partner (or those between the thresholds):
 * join ==>    labelled pairs, the pair  →  model m: does the condition hold?
 * }</pre>
 *
 * <p>Preserves meaning: as {@link ImplementJoinWithNestedLoops} and {@link
 * ImplementJoinWithEmbeddings}.
 */
final class ImplementJoinWithFewShot implements ImplementationRule {

  /** Number of pairs: two that match and two that do not. */
  private static final int PAIRS = 4;

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof ReferenceJoin
        || (operator instanceof StreamJoin join && join.condition() != null);
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (String model : choices.models()) {
      all.add(new NestedLoopsJoin(model, null, PAIRS, null));
      for (String embedder : choices.embedders()) {
        all.add(new EmbeddingJoin(model, embedder, null, null, PAIRS, null));
      }
    }
    return all;
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
