package dev.abacus.optimizer.memo;

import dev.abacus.schemas.program.LogicalOperator;
import org.jspecify.annotations.Nullable;

/**
 * An operator on top of whatever yields the documents of a group.
 *
 * @param operator the operator applied last
 * @param position where it stands in the program as written
 * @param input the group below it
 */
public record LogicalExpression(LogicalOperator operator, int position, Group input) {

  /** The group that this expression is of. */
  public GroupKey key() {
    return input.key().with(position);
  }

  /** By position and group: the position says which operator it is. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LogicalExpression expression
        && position == expression.position
        && input == expression.input;
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
