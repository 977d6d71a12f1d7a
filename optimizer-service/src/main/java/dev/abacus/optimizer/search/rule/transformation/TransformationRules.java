package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.optimizer.search.rule.TransformationRule;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;

/** The transformation rules of the final search. */
public final class TransformationRules {

  /**
   * All of them. For every pair of neighbours that may change places there is a rule each way; so
   * from one order of a set of operators every legal order of it is reached, a swap at a time.
   */
  public static final List<TransformationRule> ALL =
      List.of(
          new PushFilterBelowMap(),
          new PushMapBelowFilter(),
          new PushFilterBelowFilter(),
          new SwapIndependentMaps(),
          new PushFilterBelowProject(),
          new PushMapBelowProject(),
          new PushProjectDown(),
          new PushFilterBelowTopK(),
          new PushTopKBelowFilter(),
          new PushFilterBelowJoin(),
          new PushJoinBelowFilter(),
          new PushMapBelowTopK(),
          new PushTopKBelowMap(),
          new PushMapBelowJoin(),
          new PushJoinBelowMap(),
          new SwapIndependentTopKs(),
          new ReorderJoins(),
          new PushTopKBelowJoin(),
          new PushJoinBelowTopK(),
          new PushTopKBelowProject(),
          new PushJoinBelowProject());

  private TransformationRules() {}

  /**
   * Whether some rule lets an operator change places with its lower neighbour. Rules look at the
   * two operators alone; so this settles which orders of all operators are legal (they are the
   * linear extensions of a partial order).
   */
  public static boolean mayExchange(LogicalOperator upper, LogicalOperator lower) {
    for (TransformationRule rule : ALL) {
      if (rule.matches(upper, lower)) {
        return true;
      }
    }
    return false;
  }
}
