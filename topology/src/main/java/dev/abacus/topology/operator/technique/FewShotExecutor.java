package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.plan.FewShot;
import dev.abacus.schemas.plan.SolvedExample;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.Prompt;
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
final class FewShotExecutor {

  private FewShotExecutor() {}

  static <A> OperatorOutcome run(SemanticCall<A> call, FewShot technique)
      throws InterruptedException, OperatorFailedException {
    List<SolvedExample> shown = technique.shown();
    if (shown == null) {
      throw OperatorFailedException.unusablePlan(
          "%s of '%s' has no examples".formatted(technique.id(), call.logical().id()));
    }
    List<SolvedExample> others =
        shown.stream().filter(example -> !example.input().equals(call.input())).toList();
    return call.outcome(call.ask(technique.model(), prompt(call, technique, others)));
  }

  private static <A> Prompt<A> prompt(
      SemanticCall<A> call, FewShot technique, List<SolvedExample> others)
      throws InterruptedException, OperatorFailedException {
    String embedder = technique.embedder();
    if (embedder == null) {
      return call.operator().about(call.input(), others);
    }
    return call.operator()
        .aboutWithOwnExamples(
            call.input(),
            SimilarExamples.choose(
                call.execution(), embedder, call.input(), others, technique.k()));
  }
}
