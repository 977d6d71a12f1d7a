package dev.abacus.optimizer.loop.input;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The input of an operator on a validation example, or why there is none. */
public sealed interface OperatorInput {

  /**
   * The input is available.
   *
   * @param label the right output of the operator; null if unknown
   * @param rows number of outputs of each operator upstream that had several on this example, by
   *     its id: the document was drawn from them
   */
  record Ready(Document document, @Nullable JsonNode label, Map<String, Double> rows)
      implements OperatorInput {

    public Ready {
      rows = Map.copyOf(rows);
    }

    /** A document that was not drawn from several. */
    public Ready(Document document, @Nullable JsonNode label) {
      this(document, label, Map.of());
    }

    /** Number of documents of the example that this one represents. */
    public double weight() {
      return rows.values().stream().sorted().reduce(1.0, (left, right) -> left * right);
    }
  }

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
