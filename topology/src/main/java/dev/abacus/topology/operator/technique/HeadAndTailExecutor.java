package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.HeadAndTail;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.embedding.TextChunks;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;

/**
 * One call of one model with the beginning and the end of long texts. Letters, reports and
 * contracts state their subject there, and models read these parts best.
 *
 * <pre>
 *   long text ──► first half … last half ──► model ──► output
 * </pre>
 */
final class HeadAndTailExecutor implements OperatorExecutor<HeadAndTail> {

  private static final String GAP = "\n…\n";

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, HeadAndTail technique, Document document, ModelClient client)
      throws InterruptedException {
    return SemanticCall.run(
        operator,
        document,
        client,
        call ->
            call.withInput(shortened(call.input(), technique.characters()))
                .answer(technique.model(), ExecutionStats.NONE));
  }

  private static Document shortened(Document document, int characters) {
    Document shown = document;
    for (String name : document.fieldNames()) {
      JsonNode value = document.get(name);
      if (value.isTextual() && value.textValue().length() > characters) {
        shown = shown.with(name, TextNode.valueOf(shortened(value.textValue(), characters)));
      }
    }
    return shown;
  }

  private static String shortened(String text, int characters) {
    int head = TextChunks.end(text, 0, characters - characters / 2);
    int tail = text.length() - characters / 2;
    boolean splitsPair = tail < text.length() && Character.isLowSurrogate(text.charAt(tail));
    return text.substring(0, head) + GAP + text.substring(splitsPair ? tail + 1 : tail);
  }
}
