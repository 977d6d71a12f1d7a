package dev.abacus.topology.operator.join;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.ChoiceJoin;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorExecutor;
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
public final class ChoiceJoinExecutor implements OperatorExecutor<ChoiceJoin> {

  private final Embedders embedders;
  private final References references;

  /** An executor for joins with these references. */
  public ChoiceJoinExecutor(Embedders embedders, References references) {
    this.embedders = embedders;
    this.references = references;
  }

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, ChoiceJoin technique, Document document, ModelClient client)
      throws InterruptedException {
    return Execution.run(
        client,
        execution -> {
          ReferenceJoinCall call = ReferenceJoinCall.of(operator, document, references, execution);
          OperatorOutcome nothing = call.nothingToCompare();
          if (nothing != null) {
            return nothing;
          }
          List<Candidate> shortlist =
              new SimilaritySearch(embedders)
                  .nearest(
                      execution,
                      technique.embedder(),
                      technique.k(),
                      EmbeddingInput.ofTexts(call.input()),
                      call.reference());
          return call.outcome(
              shortlist,
              ChoicePrompt.ALL.ask(
                  execution, technique.model(), call.join().condition(), call.input(), shortlist));
        });
  }
}
