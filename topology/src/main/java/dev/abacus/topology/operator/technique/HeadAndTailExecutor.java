package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.HeadAndTail;
import dev.abacus.topology.model.token.Tokenizer;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.function.Function;

/**
 * One call of one model with the beginning and the end of long texts. Letters, reports and
 * contracts state their subject there, and models read these parts best.
 *
 * <pre>
 *   long text ──► first half … last half ──► model ──► output
 * </pre>
 */
record HeadAndTailExecutor(Function<String, Tokenizer> tokenizers)
    implements SemanticExecutor<HeadAndTail> {

  private static final String GAP = "\n…\n";

  @Override
  public <A> OperatorOutcome run(SemanticCall<A> call, HeadAndTail technique)
      throws InterruptedException, OperatorFailedException {
    TokenChunks chunks = new TokenChunks(tokenizers.apply(technique.model()));
    return call.withInput(shortened(call.input(), technique.tokens(), chunks))
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
