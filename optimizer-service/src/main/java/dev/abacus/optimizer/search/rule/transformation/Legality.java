package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Project;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Whether neighbours may change places, by what they declare to read and write. */
final class Legality {

  private Legality() {}

  /** Whether neither reads or replaces what the other writes. */
  static boolean independent(LogicalOperator one, LogicalOperator other) {
    return one.isIndependentOf(other);
  }

  /**
   * What an operator reads that does the work of two; empty means every field, as it does there.
   */
  static List<String> readsOfBoth(LogicalOperator one, LogicalOperator other) {
    if (one.reads().isEmpty() || other.reads().isEmpty()) {
      return List.of();
    }
    Set<String> both = new LinkedHashSet<>(one.reads());
    both.addAll(other.reads());
    return List.copyOf(both);
  }

  /**
   * Whether an operator does the same on either side of a projection: all it reads is kept, so it
   * sees the same fields, and all it writes is kept, so the same fields come out. An operator that
   * reads every field sees other fields on the other side.
   */
  static boolean untouchedBy(Project project, LogicalOperator operator) {
    HashSet<String> kept = new HashSet<>(project.fields());
    return operator.isPerDocument()
        && !operator.reads().isEmpty()
        && kept.containsAll(operator.reads())
        && kept.containsAll(operator.writtenFields());
  }
}
