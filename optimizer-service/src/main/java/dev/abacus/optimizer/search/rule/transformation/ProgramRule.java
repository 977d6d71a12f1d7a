package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves one operator across a split, a merge, a join of streams or a limit. The memo holds the
 * orders of a chain; these rules give other programs with the same meaning, and the search plans
 * each of them.
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
      List.of(
          new PushBelowStreamJoin(),
          new PullAboveLimit(),
          new PushIntoBranch(),
          new PullOutOfBranch());
}
