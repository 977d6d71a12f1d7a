package dev.abacus.topology.operator.join;

import dev.abacus.schemas.plan.ChoiceJoin;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.Execution;
import java.util.List;

/**
 * Shows a model the items that are most similar to the document, and asks for all that match.
 *
 * <pre>
 *   texts ──► embedder ──► index ──► k candidates ──► model ──► some of them, or none
 * </pre>
 *
 * <p>Each text of a list is a query of its own, so a document about several things finds the items
 * of each. A sample searches the whole reference too: a match that is no candidate is missed there
 * as it would be live, and cost and latency are those of a live document.
 */
public final class ChoiceJoinExecutor {

  private ChoiceJoinExecutor() {}

  /**
   * Runs the operator on a document.
   *
   * @throws OperatorFailedException if the technique cannot be completed
   */
  public static OperatorOutcome run(
      Execution execution, ChoiceJoin technique, References references)
      throws InterruptedException, OperatorFailedException {
    ReferenceJoinCall call = ReferenceJoinCall.of(execution, references);
    OperatorOutcome nothing = call.nothingToCompare();
    if (nothing != null) {
      return nothing;
    }
    List<Candidate> shortlist =
        SimilaritySearch.nearest(
            execution,
            technique.embedder(),
            technique.k(),
            EmbeddingInput.ofTexts(call.input()),
            call.reference());
    return call.outcome(
        shortlist,
        ChoicePrompt.ALL.ask(
            execution, technique.model(), call.join().condition(), call.input(), shortlist));
  }
}
