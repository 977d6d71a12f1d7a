package dev.abacus.deploy.score;

import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import dev.abacus.schemas.program.StreamJoin;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What results tell about the operators of a program. */
record ProgramFlow(Program program) {

  /** Whether an operator may have no output for a document. */
  private static boolean mayDrop(LogicalOperator operator) {
    return switch (operator) {
      case SemanticFilter _, Limit _, Aggregate _, StreamJoin _ -> true;
      case SemanticMap map -> map.cardinality() == Cardinality.MANY;
      case ReferenceJoin join -> join.joinKind() == JoinKind.INNER;
      case LogicalOperator _ -> false;
    };
  }

  /** Whether an operator may have several outputs for a document. */
  static boolean mayMultiply(LogicalOperator operator) {
    return switch (operator) {
      case SemanticMap map -> map.cardinality() == Cardinality.MANY;
      case ReferenceJoin join -> !join.collected();
      case LogicalOperator _ -> false;
    };
  }

  /** Whether no other operator than this one may drop a document. */
  boolean isOnlyDropper(LogicalOperator operator) {
    return mayDrop(operator)
        && program.operators().stream()
            .noneMatch(other -> mayDrop(other) && !other.id().equals(operator.id()));
  }

  /** Whether the operator may drop a document, and others may too. */
  boolean isOneOfDroppers(LogicalOperator operator) {
    return mayDrop(operator) && !isOnlyDropper(operator);
  }

  /** Whether results alone do not tell which operator dropped a document. */
  boolean needsJourneys() {
    return program.operators().stream().filter(ProgramFlow::mayDrop).count() > 1;
  }

  /** Whether a field that an operator writes is replaced before the results. */
  boolean isReplaced(LogicalOperator operator, String field) {
    return behind(operator).stream().anyMatch(next -> next.writtenFields().contains(field));
  }

  /** Why results do not have all outputs of an operator once; null if they do. */
  @Nullable String obscured(LogicalOperator operator) {
    if (program.operators().stream()
        .anyMatch(other -> mayMultiply(other) && !other.id().equals(operator.id()))) {
      return "another operator has several outputs too";
    }
    return behind(operator).stream().anyMatch(ProgramFlow::mayDrop)
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
