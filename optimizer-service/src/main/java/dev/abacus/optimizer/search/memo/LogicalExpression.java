package dev.abacus.optimizer.search.memo;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import org.jspecify.annotations.Nullable;

/**
 * A logical operator over the groups of its inputs (paper, section 3.1).
 *
 * @param operator the root operator, applied last
 * @param position its position in the program as written
 * @param input the input group; the left one of a join of streams
 * @param right the right input group of a join of streams, else null
 */
public record LogicalExpression(
    LogicalOperator operator, int position, Group input, @Nullable Group right) {

  /** An operator over one input group. */
  public LogicalExpression(LogicalOperator operator, int position, Group input) {
    this(operator, position, input, null);
  }

  /** The key of the group that contains this expression. */
  public GroupKey key() {
    GroupKey below = right == null ? input.key() : input.key().with(right.key());
    return below.with(position);
  }

  /** For a filter, the number of maps before it, whose work it could have saved; otherwise 0. */
  int mapsBefore() {
    return operator instanceof SemanticFilter ? input.maps() : 0;
  }

  /** Compares position and groups; the position identifies the operator. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LogicalExpression expression
        && position == expression.position
        && input == expression.input
        && right == expression.right;
  }

  @Override
  public int hashCode() {
    return 31 * input.hashCode() + position;
  }

  @Override
  public String toString() {
    return operator.id() + "(" + input.key().operators() + ")";
  }
}
