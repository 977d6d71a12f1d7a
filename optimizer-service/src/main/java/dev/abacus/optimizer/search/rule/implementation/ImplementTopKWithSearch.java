package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.TopKSearch;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.TopK;
import java.util.ArrayList;
import java.util.List;

/**
 * A top-k as a search of the vector index (paper, section 4.1). Parameters: embedder × k, or the k
 * that the program states.
 *
 * <pre>{@code
 *            embedder e: the query fields
 * top-k ==>    |
 *            the k nearest items of the reference
 * }</pre>
 *
 * <p>Preserves meaning: the result is the items most similar to the document, best first. If the
 * program leaves k open, k is part of the choice.
 */
final class ImplementTopKWithSearch implements ImplementationRule {

  private static final List<Integer> ITEMS = List.of(1, 3, 5, 10, 15, 20, 25);

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof TopK;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    Integer given = operator instanceof TopK topK ? topK.k() : null;
    for (String embedder : choices.embedders()) {
      for (int k : given == null ? ITEMS : List.of(given)) {
        all.add(new TopKSearch(embedder, k));
      }
    }
    return all;
  }
}
