package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;

/**
 * A map over the most relevant parts of its input: chunk size × chunks × model × embedder.
 *
 * <pre>{@code
 *                 chunks of the input, c characters each
 *                   |  embedder e: the k most similar to the task
 * map      ==>      v
 *                 one call of model m over those k chunks
 * }</pre>
 *
 * <p>Meaning is preserved: the task and the form of the answer (the fields that it writes) stay;
 * what the dropped chunks would have told shows in its quality.
 */
public final class ImplementMapWithReducedContext implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return Techniques.reducedContext(choices);
  }
}
