package dev.abacus.schemas.program;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The fields that the right branch of a {@link Merge} adds to the left one: those that its own
 * operators write. Fields from before the split come from the left branch.
 */
public final class BranchFields {

  private BranchFields() {}

  /**
   * The fields that a merge takes from its right branch.
   *
   * @param operators of the program or of a plan
   */
  public static Set<String> of(Merge merge, Collection<LogicalOperator> operators) {
    Set<String> left = upstream(merge.input(), operators);
    Set<String> right = upstream(merge.with(), operators);
    right.removeAll(left);
    return operators.stream()
        .filter(operator -> right.contains(operator.id()))
        .flatMap(operator -> operator.writtenFields().stream())
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /**
   * The node and everything upstream of it.
   *
   * @param operators each one after its inputs
   */
  public static Set<String> upstream(String node, Collection<LogicalOperator> operators) {
    Set<String> found = new LinkedHashSet<>();
    found.add(node);
    List<LogicalOperator> ordered = new ArrayList<>(operators);
    for (LogicalOperator operator : ordered.reversed()) {
      if (found.contains(operator.id())) {
        found.addAll(operator.inputs());
      }
    }
    return found;
  }
}
