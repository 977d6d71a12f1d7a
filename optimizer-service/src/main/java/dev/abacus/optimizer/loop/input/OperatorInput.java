package dev.abacus.optimizer.loop.input;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.LogicalOperator;
import org.jspecify.annotations.Nullable;

/** The input of an operator on a validation example, or why there is none. */
public sealed interface OperatorInput {

  /**
   * The input is available.
   *
   * @param label the right output of the operator; null if unknown
   */
  record Ready(Document document, @Nullable JsonNode label) implements OperatorInput {}

  /**
   * An operator upstream was not sampled yet on an example that the input needs.
   *
   * @param producer the operator upstream
   * @param exampleId this example, or another of its group or pair
   */
  record Wanting(LogicalOperator producer, String exampleId) implements OperatorInput {}

  /** An operator upstream was sampled on the example and gave no output. */
  record Barred() implements OperatorInput {}

  /**
   * The example does not belong to the source of the operator, or another example represents its
   * group.
   */
  record Foreign() implements OperatorInput {}
}
