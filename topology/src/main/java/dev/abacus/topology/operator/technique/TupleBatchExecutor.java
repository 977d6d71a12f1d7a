package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.TupleBatch;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.ParsedAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;

/**
 * Several documents in one call; an answer that is missing or invalid is asked for alone.
 *
 * <pre>
 *   document 1 ──┐                       ┌──► output 1
 *   document 2 ──┼──► batch ──► model ───┼──► output 2
 *   document 3 ──┘                       └──► (not valid) ──► model ──► output 3
 * </pre>
 *
 * <p>A document's receipt is for its own request, whatever batch that went into: after a crash it
 * is not paid for again, though the batch is another then. The answer of a batch that has none for
 * a document leaves a receipt too, so that only the call made alone counts then.
 */
final class TupleBatchExecutor implements OperatorExecutor<TupleBatch> {

  private final RequestBatcher batcher;

  TupleBatchExecutor(RequestBatcher batcher) {
    this.batcher = batcher;
  }

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, TupleBatch technique, Document document, ModelClient client)
      throws InterruptedException {
    return SemanticCall.with(
        operator, document, (question, shown) -> run(question, technique, document, shown, client));
  }

  private <A> OperatorOutcome run(
      OperatorPrompt<A> question,
      TupleBatch technique,
      Document document,
      Document shown,
      ModelClient client)
      throws InterruptedException {
    String model = technique.model();
    BatchPrompt batch = new BatchPrompt(question);
    ModelClient shared =
        client.detour(endpoint -> request -> batcher.call(endpoint, technique.size(), request));
    ModelAnswer answer = shared.call(batch.alone(model, DocumentMessage.of(shown)));
    ExecutionStats spent = ExecutionStats.ofChat(answer);
    return switch (answer) {
      case ModelAnswer.Success success ->
          switch (StructuredCall.read(success.text(), question)) {
            case ParsedAnswer.Understood<A>(A understood) ->
                question.outcome(document, understood, spent);
            case ParsedAnswer.NotUnderstood<A> _ ->
                SemanticCall.ask(question, document, shown, model, client, spent);
          };
      // Another document, or their number, may be the reason; alone, each fails for itself.
      case ModelAnswer.Failed failed when !failed.failure().isProviderFault() ->
          SemanticCall.ask(question, document, shown, model, client, spent);
      case ModelAnswer.Failed failed -> SemanticCall.failed(model, failed.failure(), spent);
    };
  }
}
