package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Media;
import dev.abacus.schemas.plan.CompressedContext;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One model copies the relevant passages; another answers from these passages alone.
 *
 * <pre>
 *   document ──► compressor ──► passages ──► model ──► output
 * </pre>
 *
 * <p>Saves cost if the compressor is cheap, the document long and the model expensive. Images
 * cannot be copied as text, so the second model sees them too.
 */
final class CompressedContextExecutor {

  private static final String EXCERPTS = "excerpts";
  private static final String NOTHING = "(nothing in the document bears on the question)";

  private CompressedContextExecutor() {}

  static <A> OperatorOutcome run(SemanticCall<A> call, CompressedContext technique)
      throws InterruptedException, OperatorFailedException {
    JsonNode passages =
        call.ask(technique.compressor(), Role.COMPRESSOR.prompt(call.operator(), call.prompt()));
    return call.withInput(compressed(call.input(), passages)).answer(technique.model());
  }

  private static Document compressed(Document input, JsonNode passages) {
    List<String> images =
        input.fieldNames().stream().filter(name -> Media.of(input.get(name)) != null).toList();
    String excerpts =
        passages
            .valueStream()
            .map(JsonNode::textValue)
            .filter(passage -> !passage.isBlank())
            .collect(Collectors.joining("\n…\n"));
    return Document.empty()
        .with(EXCERPTS, TextNode.valueOf(excerpts.isEmpty() ? NOTHING : excerpts))
        .with(input.only(images));
  }
}
