package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.HeadAndTail;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;

/**
 * One call of one model with the beginning and the end of long texts. Letters, reports and
 * contracts state their subject there, and models read these parts best.
 *
 * <pre>
 *   long text ──► first half … last half ──► model ──► output
 * </pre>
 */
final class HeadAndTailExecutor {

  private static final String GAP = "\n…\n";

  private HeadAndTailExecutor() {}

  static <A> OperatorOutcome run(SemanticCall<A> call, HeadAndTail technique, TokenChunks tokens)
      throws InterruptedException, OperatorFailedException {
    return call.withInput(shortened(call.input(), technique.tokens(), tokens))
        .answer(technique.model());
  }

  private static Document shortened(Document document, int tokens, TokenChunks chunks) {
    Document shown = document;
    for (String name : document.fieldNames()) {
      JsonNode value = document.get(name);
      if (value.isTextual() && chunks.exceeds(value.textValue(), tokens)) {
        String text = value.textValue();
        String head = text.substring(0, chunks.end(text, 0, tokens - tokens / 2));
        String tail = text.substring(chunks.startOfTail(text, tokens / 2));
        shown = shown.with(name, TextNode.valueOf(head + GAP + tail));
      }
    }
    return shown;
  }
}
