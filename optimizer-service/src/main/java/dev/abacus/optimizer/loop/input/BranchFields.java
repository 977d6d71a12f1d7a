package dev.abacus.optimizer.loop.input;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The fields that the right branch of a {@link Merge} adds to the left one: those that its own
 * operators write. Fields from before the split come from the left branch.
 */
public final class BranchFields {

  private BranchFields() {}

  static Set<String> of(Merge merge, Program program) {
    Set<String> left = upstream(merge.input(), program);
    Set<String> fields = new LinkedHashSet<>();
    for (String id : upstream(merge.with(), program)) {
      LogicalOperator operator = program.operator(id);
      if (operator != null && !left.contains(id)) {
        fields.addAll(operator.writtenFields());
      }
    }
    return fields;
  }

  /** The node and everything upstream of it, in reverse program order. */
  public static Set<String> upstream(String node, Program program) {
    Set<String> found = new LinkedHashSet<>();
    found.add(node);
    for (LogicalOperator operator : program.operators().reversed()) {
      if (found.contains(operator.id())) {
        found.addAll(operator.inputs());
      }
    }
    return found;
  }
}
