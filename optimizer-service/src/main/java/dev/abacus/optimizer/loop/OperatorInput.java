package dev.abacus.optimizer.loop;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.LogicalOperator;

/** What an operator would read on a validation example. */
sealed interface OperatorInput {

  /** It is known. */
  record Ready(Document document) implements OperatorInput {}

  /** An operator upstream has not been tried on the example yet. */
  record Wanting(LogicalOperator producer) implements OperatorInput {}

  /** An operator upstream was tried on the example and gave no output. */
  record Barred() implements OperatorInput {}

  /** The example does not come from the source that the operator goes back to. */
  record Foreign() implements OperatorInput {}
}
