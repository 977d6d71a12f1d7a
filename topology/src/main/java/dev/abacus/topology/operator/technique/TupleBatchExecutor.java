package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.plan.TupleBatch;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.AnswerFormat;
import dev.abacus.topology.operator.prompt.Execution;

/**
 * Several documents in one call; a document without a valid answer gets a call of its own.
 *
 * <pre>
 *   document 1 ──┐                       ┌──► output 1
 *   document 2 ──┼──► batch ──► model ───┼──► output 2
 *   document 3 ──┘                       └──► (not valid) ──► model ──► output 3
 * </pre>
 *
 * <p>The receipt of a document is for its own request, independent of the batch: after a crash the
 * answer is not paid for again, even if the batch has other documents. A batch answer that lacks a
 * document leaves a receipt too; the document's own call then counts.
 */
final class TupleBatchExecutor {

  private TupleBatchExecutor() {}

  static <A> OperatorOutcome run(SemanticCall<A> call, TupleBatch technique, RequestBatcher batcher)
      throws InterruptedException, OperatorFailedException {
    String model = technique.model();
    Execution execution = call.execution();
    ModelClient batching =
        execution
            .client()
            .detour(endpoint -> request -> batcher.call(endpoint, technique.size(), request));
    ModelAnswer answer =
        batching.call(new BatchPrompt(call.operator()).request(model, call.input()));
    execution.add(answer.stats());
    return switch (answer) {
      case ModelAnswer.Success success ->
          switch (call.operator().format().parse(success.text())) {
            case AnswerFormat.Parsed.Valid<A>(A valid) -> call.outcome(valid);
            case AnswerFormat.Parsed.Invalid<A> _ -> call.answer(model);
          };
      // The cause can be another document or the size of the batch.
      case ModelAnswer.Failed failed when !failed.failure().isProviderFault() -> call.answer(model);
      case ModelAnswer.Failed failed ->
          throw OperatorFailedException.ofModel(model, failed.failure());
    };
  }
}
