package dev.abacus.optimizer.search.memo;

import dev.abacus.schemas.program.LogicalOperator;
import org.jspecify.annotations.Nullable;

/**
 * A logical operator over the groups of its inputs (paper, section 3.1).
 *
 * @param operator the root operator, applied last, as rules see it
 * @param position its position in the program as written
 * @param input the group below it; for a join of streams, the group of its two sides
 * @param branches the group of the two branches that a merge applies to each document of the input;
 *     null for other operators
 */
public record LogicalExpression(
    LogicalOperator operator, int position, Group input, @Nullable Group branches) {

  /** For a filter, the number of maps before it, whose work it could have saved; otherwise 0. */
  int mapsBefore() {
    return operator.decides() ? input.maps() : 0;
  }

  @Override
  public String toString() {
    return operator.id() + "(" + input.key().operators() + ")";
  }
}
