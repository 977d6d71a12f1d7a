package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves one operator between a chain of a program and a side of it: across a split, a merge or a
 * join of streams. The memo gets the sides of each program that the rules reach.
 */
interface ProgramRule {

  /**
   * The program with the operator at another place.
   *
   * @return null if the rule does not fire
   */
  @Nullable Program apply(Program program, LogicalOperator operator);

  /** All rules. */
  List<ProgramRule> ALL =
      List.of(new PushBelowStreamJoin(), new PushIntoBranch(), new PullOutOfBranch());
}
