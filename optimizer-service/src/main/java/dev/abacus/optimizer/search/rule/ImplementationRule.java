package dev.abacus.optimizer.search.rule;

import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;

/** Finds ways to carry out a logical operator, all by one technique. */
public non-sealed interface ImplementationRule extends Rule {

  /** Whether the technique is one for this operator. */
  boolean matches(LogicalOperator operator);

  /**
   * The technique with every combination of its parameters, in a stable order.
   *
   * @param operator one that {@link #matches}
   */
  List<PhysicalOperator> implement(LogicalOperator operator, Choices choices);

  /** Whether the paper has the rule (section 4.1). */
  default boolean isInPaper() {
    return true;
  }

  /**
   * What parameters are drawn from.
   *
   * @param models names of chat models
   * @param embedders names of embedding models
   */
  record Choices(List<String> models, List<String> embedders) {
    public Choices {
      models = List.copyOf(models);
      embedders = List.copyOf(embedders);
    }
  }
}
