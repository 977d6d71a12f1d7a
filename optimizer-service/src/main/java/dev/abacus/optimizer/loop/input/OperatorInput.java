package dev.abacus.optimizer.loop.input;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.LogicalOperator;
import org.jspecify.annotations.Nullable;

/** What an operator would read on a validation example. */
public sealed interface OperatorInput {

  /**
   * It is known.
   *
   * @param label what is known of the operator's right output on it; null if nothing
   */
  record Ready(Document document, @Nullable JsonNode label) implements OperatorInput {}

  /**
   * An operator upstream has not been tried on an example yet, this one or one that goes with it.
   */
  record Wanting(LogicalOperator producer, String exampleId) implements OperatorInput {}

  /** An operator upstream was tried on the example and gave no output. */
  record Barred() implements OperatorInput {}

  /**
   * The example does not come from the source that the operator goes back to, or another example
   * stands for the group that this one is in.
   */
  record Foreign() implements OperatorInput {}
}
