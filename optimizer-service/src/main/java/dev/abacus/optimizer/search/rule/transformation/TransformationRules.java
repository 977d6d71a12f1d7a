package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.optimizer.search.rule.TransformationRule;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;

/** The transformation rules of the optimizer. */
public final class TransformationRules {

  /**
   * All rules. A sequence of exchanges reaches every legal order of a set of operators from the
   * order as written.
   */
  public static final List<TransformationRule> ALL =
      List.of(new ExchangeIndependentOperators(), new ExchangeProjection(), new ExchangeLimit());

  private TransformationRules() {}

  /**
   * Whether some rule exchanges an operator with the operator directly below it. Rules look at the
   * two operators only. The legal orders are therefore the linear extensions of a partial order:
   * two operators that cannot be exchanged keep their order.
   */
  public static boolean mayExchange(LogicalOperator upper, LogicalOperator lower) {
    return ALL.stream().anyMatch(rule -> rule.matches(upper, lower));
  }
}
