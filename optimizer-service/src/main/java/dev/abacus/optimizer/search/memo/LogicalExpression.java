package dev.abacus.optimizer.search.memo;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import org.jspecify.annotations.Nullable;

/**
 * An operator on top of whatever yields the documents of a group.
 *
 * @param operator the operator applied last
 * @param position where it stands in the program as written
 * @param input the group below it; the left one of two
 * @param right of a join of streams: the other group below it
 */
public record LogicalExpression(
    LogicalOperator operator, int position, Group input, @Nullable Group right) {

  /** An operator on top of one group. */
  public LogicalExpression(LogicalOperator operator, int position, Group input) {
    this(operator, position, input, null);
  }

  /** The group that this expression is of. */
  public GroupKey key() {
    GroupKey below = right == null ? input.key() : input.key().with(right.key());
    return below.with(position);
  }

  /** If a filter, how many maps come before it: work that it could have saved; otherwise 0. */
  public int mapsBefore() {
    return operator instanceof SemanticFilter ? input.maps() : 0;
  }

  /** By position and group: the position says which operator it is. */
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
