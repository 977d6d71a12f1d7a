package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.Gleaning;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticMap;
import java.util.List;

/**
 * A map whose model checks its own answer for missing items. Parameters: model × maximum number of
 * rounds. Not in the paper (DocETL, 2024). A single call often returns incomplete lists.
 *
 * <pre>{@code
 *           model m answers ◄──────────┐
 * map  ==>    |                        |  what is missing, at most r rounds
 *           the same model ────────────┘
 * }</pre>
 *
 * <p>Preserves meaning: every round repeats the same task and adds what is missing. Does not fire
 * on filters: their answer has no missing items.
 */
final class ImplementMapWithGleaning implements ImplementationRule {

  private static final List<Integer> ROUNDS = List.of(1, 2);

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    return choices.perModel(ROUNDS, (model, rounds) -> new Gleaning(model, model, rounds));
  }

  @Override
  public boolean isInPaper() {
    return false;
  }
}
