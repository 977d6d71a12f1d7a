package dev.abacus.deploy.score;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What results tell about the operators of a program. */
record ProgramFlow(Program program) {

  /** Whether no other operator than this one may drop a document. */
  boolean isOnlyDropper(LogicalOperator operator) {
    return operator.mayDrop() && !needsJourneys();
  }

  /** Whether the operator may drop a document, and others may too. */
  boolean isOneOfDroppers(LogicalOperator operator) {
    return operator.mayDrop() && needsJourneys();
  }

  /** Whether results alone do not tell which operator dropped a document. */
  boolean needsJourneys() {
    return program.operators().stream().filter(LogicalOperator::mayDrop).count() > 1;
  }

  /** Whether a field that an operator writes is replaced before the results. */
  boolean isReplaced(LogicalOperator operator, String field) {
    return behind(operator).stream().anyMatch(next -> next.writtenFields().contains(field));
  }

  /** Why results do not have all outputs of an operator once; null if they do. */
  @Nullable String obscured(LogicalOperator operator) {
    if (program.operators().stream()
        .anyMatch(other -> other.outputs().mayBeSeveral() && !other.id().equals(operator.id()))) {
      return "another operator has several outputs too";
    }
    return behind(operator).stream().anyMatch(LogicalOperator::mayDrop)
        ? "a later operator may drop its outputs"
        : null;
  }

  /** The operators that read the output of an operator, directly or not. */
  private List<LogicalOperator> behind(LogicalOperator operator) {
    Set<String> reached = new HashSet<>(Set.of(operator.id()));
    List<LogicalOperator> behind = new ArrayList<>();
    for (LogicalOperator next : program.operators()) {
      if (next.inputs().stream().anyMatch(reached::contains)) {
        reached.add(next.id());
        behind.add(next);
      }
    }
    return behind;
  }
}
