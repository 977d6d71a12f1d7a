package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.Image;
import dev.abacus.schemas.plan.CompressedContext;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
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
final class CompressedContextExecutor implements OperatorExecutor<CompressedContext> {

  private static final String EXCERPTS = "excerpts";
  private static final String NOTHING = "(nothing in the document bears on the question)";

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, CompressedContext technique, Document document, ModelClient client)
      throws InterruptedException {
    return SemanticCall.run(operator, document, client, call -> run(call, technique));
  }

  private static OperatorOutcome run(SemanticCall<?> call, CompressedContext technique)
      throws InterruptedException {
    Prompt<JsonNode> compress = Role.COMPRESSOR.prompt(call.operator(), call.prompt());
    return switch (call.ask(technique.compressor(), compress)) {
      case StructuredAnswer.Failed<JsonNode>(ModelFailure failure, ExecutionStats stats) ->
          OperatorOutcome.Failed.ofModel(technique.compressor(), failure, stats);
      case StructuredAnswer.Valid<JsonNode>(JsonNode passages, ExecutionStats stats) ->
          call.withInput(compressed(call.input(), passages)).answer(technique.model(), stats);
    };
  }

  private static Document compressed(Document input, JsonNode passages) {
    List<String> images =
        input.fieldNames().stream().filter(name -> Image.of(input.get(name)) != null).toList();
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
