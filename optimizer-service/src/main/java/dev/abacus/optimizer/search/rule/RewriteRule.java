package dev.abacus.optimizer.search.rule;

import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;

/**
 * Finds other operators that do the work of a given one, or of neighbours. Unlike a {@link
 * TransformationRule}, which puts the same operators into another order, it makes new ones; their
 * ids say what they were made of ({@link dev.abacus.schemas.program.DerivedIds}).
 */
public non-sealed interface RewriteRule extends Rule {

  /** How many operators it looks at, each of which takes the output of the one before. */
  int width();

  /**
   * What may stand in their place, in the order in which one takes the output of the other; empty
   * where the rule does not fire.
   *
   * @param neighbours as many as {@link #width} says, the lowest first
   */
  List<LogicalOperator> rewrite(List<LogicalOperator> neighbours);
}
