package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.List;

/**
 * A filter in three calls: generator × critic × refiner (paper, section 4.1).
 *
 * <pre>{@code
 *              generator g   ──►   critic c   ──►   refiner r
 * filter ==>    an answer          its faults        the answer, mended
 * }</pre>
 *
 * <p>Meaning is preserved: each model is told the whole task and the whole input, and what the
 * refiner gives has the form asked for (yes or no).
 */
public final class ImplementFilterWithCritiqueAndRefine implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticFilter;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return Techniques.critiqueAndRefine(choices);
  }
}
