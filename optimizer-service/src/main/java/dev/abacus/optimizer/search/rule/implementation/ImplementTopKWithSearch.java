package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.TopK;
import java.util.List;

/**
 * A top-k as a search of the vector index: embedder × k (paper, section 4.1), or the k that the
 * program says.
 *
 * <pre>{@code
 *              embedder e: the query fields
 * top-k  ==>     |
 *              the k nearest items of the reference
 * }</pre>
 *
 * <p>Meaning is preserved: the items most similar to the document, best first; where the program
 * leaves k open, how many are enough is part of the choice.
 */
public final class ImplementTopKWithSearch implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof TopK;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return operator instanceof TopK topK ? Techniques.topK(topK.k(), choices) : List.of();
  }
}
