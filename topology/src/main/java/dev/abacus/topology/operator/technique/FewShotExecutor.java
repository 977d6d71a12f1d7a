package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.FewShot;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.List;

/**
 * One call of one model that sees solved examples.
 *
 * <pre>
 *   examples of the plan, document ──► model ──► output
 * </pre>
 *
 * <p>The examples are in the system message, so that endpoints with a prompt cache read them once.
 * The plan or the sample task names them; this class chooses none.
 */
final class FewShotExecutor implements OperatorExecutor<FewShot> {

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, FewShot technique, Document document, ModelClient client)
      throws InterruptedException {
    List<SolvedExample> shown = technique.shown();
    if (shown == null) {
      return OperatorOutcome.Failed.unusablePlan(
          "%s of '%s' has no examples".formatted(technique.id(), operator.id()));
    }
    return SemanticCall.run(
        operator, document, client, call -> answer(call, technique.model(), shown));
  }

  /**
   * Leaves out an example that equals the document, so that scores of live documents are honest.
   */
  private static <A> OperatorOutcome answer(
      SemanticCall<A> call, String model, List<SolvedExample> shown) throws InterruptedException {
    List<SolvedExample> others =
        shown.stream().filter(example -> !example.input().equals(call.input())).toList();
    return call.outcome(model, call.ask(model, call.operator().about(call.input(), others)));
  }
}
