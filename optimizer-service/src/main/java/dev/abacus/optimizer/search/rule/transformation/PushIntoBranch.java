package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Moves a filter from behind a merge to the end of the branch that writes what it reads.
 *
 * <pre>{@code
 *  filter (reads x)             merge
 *       |                      /     \
 *     merge           ==>  filter   map y
 *     /    \                  |       |
 * map x    map y            map x     |
 * }</pre>
 *
 * <p>Preserves meaning: the merge takes the fields that the filter reads from that branch, and has
 * no output for a document that either branch drops.
 *
 * <p>Does not fire if the filter reads every field, or fields that both branches write. A filter
 * that reads what no branch writes is exchanged with both branches as a whole.
 */
final class PushIntoBranch implements ProgramRule {

  @Override
  public @Nullable Program apply(Program program, LogicalOperator operator) {
    ProgramEdit edit = new ProgramEdit(program);
    if (!operator.decides()
        || operator.reads().isEmpty()
        || !(edit.below(operator, Merge.class::isInstance) instanceof Merge merge)) {
      return null;
    }
    Set<String> right = BranchFields.of(merge, program.operators());
    Set<String> left =
        new HashSet<>(
            BranchFields.of(
                merge.withInputs(List.of(merge.with(), merge.input())), program.operators()));
    left.removeAll(right);
    boolean readsLeft = !Collections.disjoint(operator.reads(), left);
    boolean readsRight = !Collections.disjoint(operator.reads(), right);
    return readsLeft == readsRight
        ? null
        : edit.remove(operator).insert(operator, merge.id(), readsLeft ? 0 : 1).build();
  }
}
