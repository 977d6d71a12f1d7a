package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.Collections;

/** Tells which operators read documents as a source has them. */
public final class SourceFields {

  private SourceFields() {}

  /** Whether an operator reads only fields of the source that no operator upstream writes. */
  public static boolean areRead(Program program, LogicalOperator operator, String source) {
    if (operator.reads().isEmpty()) {
      return operator.input().equals(source) && operator.inputs().size() == 1;
    }
    String before = operator.inputs().size() == 1 ? operator.input() : "";
    while (!before.equals(source)) {
      LogicalOperator passed = program.operator(before);
      if (passed == null || touches(passed, operator)) {
        return false;
      }
      before = passed.input();
    }
    return true;
  }

  private static boolean touches(LogicalOperator passed, LogicalOperator operator) {
    return passed.inputs().size() != 1
        || !passed.isAboutOneDocument()
        || !Collections.disjoint(passed.writtenFields(), operator.reads());
  }
}
