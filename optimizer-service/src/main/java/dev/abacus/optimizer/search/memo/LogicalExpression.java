package dev.abacus.optimizer.search.memo;

import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A logical operator over the groups of its inputs (paper, section 3.1).
 *
 * @param operator the root operator, applied last, as rules see it
 * @param position its position in the program as written
 * @param key of the group that contains the expression
 * @param input the group below it; for a join of streams, the group of its two sides
 * @param branches the group of the two branches that a merge applies to each document of the input;
 *     null for other operators
 */
public record LogicalExpression(
    LogicalOperator operator, int position, GroupKey key, Group input, @Nullable Group branches) {

  /** The same operator over another group of the same chain. */
  public LogicalExpression over(Group other) {
    GroupKey own = key.without(input.key());
    return new LogicalExpression(operator, position, other.key().with(own), other, branches);
  }

  /** The groups that it combines. */
  public List<Group> inputs() {
    return branches == null ? List.of(input) : List.of(input, branches);
  }

  /** For a filter, the number of maps before it, whose work it could have saved; otherwise 0. */
  int mapsBefore() {
    return operator.decides() ? input.maps() : 0;
  }

  /** Compares position and groups; the position identifies the operator. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LogicalExpression expression
        && position == expression.position
        && input == expression.input
        && branches == expression.branches;
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
