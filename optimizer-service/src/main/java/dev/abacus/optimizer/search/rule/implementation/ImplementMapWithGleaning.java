package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;

/**
 * A map with second looks for what is missing: model, which checks itself × rounds. Beyond the
 * paper (DocETL): lists of findings are seldom complete at once.
 *
 * <pre>{@code
 *               model m answers ◄──────────┐
 * map    ==>      |                        |  what is missing, at most r times
 *               the same model ────────────┘
 * }</pre>
 *
 * <p>Meaning is preserved: the same task is asked for again with what is missing, in the same form.
 */
public final class ImplementMapWithGleaning implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return Techniques.gleaning(choices);
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
