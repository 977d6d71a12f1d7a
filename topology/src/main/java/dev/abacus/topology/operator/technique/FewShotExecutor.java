package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.FewShot;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.Embedder;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.EmbeddingAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.List;

/**
 * One call of one model that sees solved examples.
 *
 * <pre>
 *   examples of the plan, document ──► model ──► output
 *   document ──► embedder ──► its examples, document ──► model ──► output
 * </pre>
 *
 * <p>Examples that are the same for all documents are in the system message, so that endpoints with
 * a prompt cache read them once. Those that are chosen for a document are in the user message: no
 * other document has them, and they must not count as a shared beginning.
 *
 * <p>Leaves out an example that equals the document, so that scores of live documents are honest.
 */
final class FewShotExecutor implements OperatorExecutor<FewShot> {

  private final Embedders embedders;
  private final SimilarExamples similar;

  FewShotExecutor(Embedders embedders, SimilarExamples similar) {
    this.embedders = embedders;
    this.similar = similar;
  }

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
        operator,
        document,
        client,
        call -> {
          List<SolvedExample> others =
              shown.stream().filter(example -> !example.input().equals(call.input())).toList();
          return technique.embedder() == null
              ? answer(call, technique.model(), others)
              : answer(call, technique, technique.embedder(), others);
        });
  }

  private static <A> OperatorOutcome answer(
      SemanticCall<A> call, String model, List<SolvedExample> others) throws InterruptedException {
    return call.outcome(model, call.ask(model, call.operator().about(call.input(), others)));
  }

  private <A> OperatorOutcome answer(
      SemanticCall<A> call, FewShot technique, String name, List<SolvedExample> pool)
      throws InterruptedException {
    Embedder embedder = embedders.find(name);
    if (embedder == null) {
      return OperatorOutcome.Failed.unusablePlan("there is no embedder '" + name + "'");
    }
    return switch (similar.choose(embedder, call.input(), pool, technique.k())) {
      case SimilarExamples.Choice.Failed(EmbeddingAnswer.Failed answer, ExecutionStats stats) ->
          OperatorOutcome.Failed.ofModel(name, answer.failure(), stats);
      case SimilarExamples.Choice.Chosen(List<SolvedExample> chosen, ExecutionStats stats) ->
          call.outcome(
              technique.model(),
              call.ask(
                      technique.model(), call.operator().aboutWithOwnExamples(call.input(), chosen))
                  .after(stats));
    };
  }
}
