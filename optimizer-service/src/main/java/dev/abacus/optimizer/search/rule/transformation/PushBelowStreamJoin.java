package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.StreamJoin;
import org.jspecify.annotations.Nullable;

/**
 * Moves an operator from behind a join of streams to its left input.
 *
 * <pre>{@code
 *   filter (reads a)              join (into r)
 *       |                          /        \
 *  join (into r)       ==>   filter (reads a) |
 *   /        \                     |          |
 * left      right                left       right
 * }</pre>
 *
 * <p>Preserves meaning: the left document of a pair keeps its fields, the right document is in the
 * field {@code into}. An operator that reads fields of the left document gives the same result for
 * each pair of that document, so it may run before the pairs are formed. A left join keeps a left
 * document without a partner; the operator gives the same result for it on either side.
 *
 * <p>Does not fire
 *
 * <ul>
 *   <li>if the operator reads every field, or the field {@code into};
 *   <li>if it writes {@code into}, the field that must be equal, or a field that the condition of
 *       the join reads;
 *   <li>on a one-to-many operator, whose outputs would become several left documents with one key;
 *   <li>on a second join of streams: the time of a pair is that of its later document, so another
 *       order would compare other times with {@code within}.
 * </ul>
 */
final class PushBelowStreamJoin implements ProgramRule {

  @Override
  public @Nullable Program apply(Program program, LogicalOperator operator) {
    ProgramEdit edit = new ProgramEdit(program);
    return operator.isPerDocument()
            && edit.below(operator, StreamJoin.class::isInstance) instanceof StreamJoin join
            && join.mayFollow(operator)
        ? edit.remove(operator).insert(operator, join.id(), 0).build()
        : null;
  }
}
