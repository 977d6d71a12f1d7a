package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Moves a filter from a branch to below the split.
 *
 * <pre>{@code
 *      merge                     merge
 *     /     \                   /     \
 * filter    map y     ==>     map x   map y
 *    |        |                  \     /
 *  map x      |                   filter
 *     \      /                      |
 *      input                      input
 * }</pre>
 *
 * <p>Preserves meaning: a filter in either branch drops the document from both, because the merge
 * needs both. The filter is independent of the operators below it in its branch.
 *
 * <p>Does not fire if another operator reads the input too and does not end in the merge.
 */
final class PullOutOfBranch implements ProgramRule {

  @Override
  public @Nullable Program apply(Program program, LogicalOperator operator) {
    if (!operator.decides()) {
      return null;
    }
    for (LogicalOperator other : program.operators()) {
      if (other instanceof Merge merge) {
        String split = split(operator, merge, program);
        if (split != null) {
          return new ProgramEdit(program).remove(operator).insert(operator, split).build();
        }
      }
    }
    return null;
  }

  /** The node that both branches read, if the filter can go there. */
  private static @Nullable String split(LogicalOperator filter, Merge merge, Program program) {
    ProgramEdit edit = new ProgramEdit(program);
    Set<String> left = BranchFields.upstream(merge.input(), program.operators());
    Set<String> right = BranchFields.upstream(merge.with(), program.operators());
    if (left.contains(filter.id()) == right.contains(filter.id())) {
      return null;
    }
    Set<String> common = new HashSet<>(left);
    common.retainAll(right);
    String at = filter.input();
    while (!common.contains(at)) {
      LogicalOperator below = program.operator(at);
      if (below == null
          || below instanceof Merge
          || edit.readers(at).size() != 1
          || !TransformationRules.mayExchange(filter, below)) {
        return null;
      }
      at = below.input();
    }
    Set<String> ends = new HashSet<>(left);
    ends.addAll(right);
    ends.add(merge.id());
    return edit.readers(at).size() > 1
            && edit.readers(at).stream().allMatch(reader -> ends.contains(reader.id()))
        ? at
        : null;
  }
}
