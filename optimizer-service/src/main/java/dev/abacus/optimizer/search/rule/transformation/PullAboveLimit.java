package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Project;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pushes a limit below an operator with one output per document, which then runs for the documents
 * that the limit passes only.
 *
 * <pre>{@code
 * limit n                 map (one to one)
 *    |                        |
 * map (one to one)   ==>   limit n
 *    |                        |
 *  input                    input
 * }</pre>
 *
 * <p>Preserves meaning: the operator neither drops nor adds documents, so the limit passes as many
 * documents on either side. A document on which the operator fails counts for the limit if the
 * operator runs behind it.
 *
 * <p>Does not fire on filters, one-to-many operators and inner joins, which change the number of
 * documents.
 */
final class PullAboveLimit implements ProgramRule {

  @Override
  public @Nullable Program apply(Program program, LogicalOperator operator) {
    ProgramEdit edit = new ProgramEdit(program);
    Limit limit = operator.isOneToOne() ? above(edit, operator) : null;
    if (limit == null) {
      return null;
    }
    edit.remove(operator);
    List<String> readers = edit.readers(limit.id()).stream().map(LogicalOperator::id).toList();
    return edit.insert(operator, limit.id(), readers).build();
  }

  /** The limit above an operator, if the operator can be exchanged with all between. */
  private static @Nullable Limit above(ProgramEdit edit, LogicalOperator operator) {
    LogicalOperator at = operator;
    while (edit.readers(at.id()).size() == 1) {
      LogicalOperator reader = edit.readers(at.id()).getFirst();
      if (reader instanceof Limit limit) {
        return limit;
      }
      if (reader.inputs().size() > 1
          || reader instanceof Project
          || !TransformationRules.mayExchange(reader, operator)) {
        return null;
      }
      at = reader;
    }
    return null;
  }
}
