package dev.abacus.optimizer.search.rule.implementation;

import dev.abacus.optimizer.search.rule.ImplementationRule;
import dev.abacus.schemas.plan.CritiqueAndRefine;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import java.util.ArrayList;
import java.util.List;

/**
 * A map or filter in three calls (paper, section 4.1). Parameters: generator × critic × refiner.
 *
 * <pre>{@code
 *                   generator g   ──►   critic c   ──►   refiner r
 * map, filter  ==>    an answer          its faults        the corrected answer
 * }</pre>
 *
 * <p>Preserves meaning: each model gets the whole task and the whole input, and the refiner answers
 * in the form that the operator asks for.
 */
final class ImplementWithCritiqueAndRefine implements ImplementationRule {

  @Override
  public boolean matches(LogicalOperator operator) {
    return operator instanceof SemanticMap || operator instanceof SemanticFilter;
  }

  @Override
  public List<PhysicalOperator> implement(LogicalOperator operator, Choices choices) {
    List<PhysicalOperator> all = new ArrayList<>();
    for (String generator : choices.models()) {
      for (String critic : choices.models()) {
        for (String refiner : choices.models()) {
          all.add(new CritiqueAndRefine(generator, critic, refiner));
        }
      }
    }
    return all;
  }
}
