package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Image;
import dev.abacus.schemas.plan.PhysicalOperator.CompressedContext;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.PromptMessages;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One model copies out what bears on the question; another answers from that alone.
 *
 * <pre>
 *   document ──► compressor ──► passages ──► model ──► output
 * </pre>
 *
 * <p>Worth it where the compressor is cheap, the document long and the model dear. Images cannot be
 * copied out in words: the second model sees them too.
 */
final class CompressedContextExecutor implements OperatorExecutor<CompressedContext> {

  private static final String EXCERPTS = "excerpts";
  private static final String NOTHING = "(nothing in the document bears on the question)";

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, CompressedContext technique, Document document, ModelClient client)
      throws InterruptedException {
    return SemanticCall.with(
        operator, document, (question, shown) -> run(question, technique, document, shown, client));
  }

  private static OperatorOutcome run(
      OperatorPrompt<?> question,
      CompressedContext technique,
      Document document,
      Document shown,
      ModelClient client)
      throws InterruptedException {
    RolePrompt compressor = new RolePrompt(RolePrompt.COMPRESSOR, question);
    PromptMessages prompt = PromptMessages.of(compressor, shown);
    return switch (StructuredCall.ask(client, technique.compressor(), prompt, compressor)) {
      case StructuredAnswer.Unanswered<JsonNode>(ModelFailure failure, ExecutionStats spent) ->
          SemanticCall.failed(technique.compressor(), failure, spent);
      case StructuredAnswer.Answered<JsonNode>(JsonNode passages, ExecutionStats spent) -> {
        Document rest = compressed(shown, passages);
        yield SemanticCall.ask(question, document, rest, technique.model(), client, spent);
      }
    };
  }

  private static Document compressed(Document shown, JsonNode passages) {
    List<String> images =
        shown.fieldNames().stream().filter(name -> Image.of(shown.get(name)) != null).toList();
    String excerpts =
        passages
            .valueStream()
            .map(JsonNode::textValue)
            .filter(passage -> !passage.isBlank())
            .collect(Collectors.joining("\n…\n"));
    return Document.empty()
        .with(EXCERPTS, TextNode.valueOf(excerpts.isEmpty() ? NOTHING : excerpts))
        .with(shown.only(images));
  }
}
