package dev.abacus.topology.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Image;
import dev.abacus.schemas.plan.PhysicalOperator.CompressedContext;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
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
      OperatorQuestion<?> question,
      CompressedContext technique,
      Document document,
      Document shown,
      ModelClient client)
      throws InterruptedException {
    RoleQuestion compressor = new RoleQuestion(RoleQuestion.COMPRESSOR, question);
    Prompt prompt = Prompt.of(compressor, shown);
    return switch (StructuredCall.ask(client, technique.compressor(), prompt, compressor)) {
      case Reply.Unanswered<JsonNode>(ModelFailure failure, Expense spent) ->
          SemanticCall.failed(technique.compressor(), failure, spent);
      case Reply.Answered<JsonNode>(JsonNode passages, Expense spent) -> {
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
