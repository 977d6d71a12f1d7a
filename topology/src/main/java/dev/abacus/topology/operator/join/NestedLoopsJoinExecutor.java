package dev.abacus.topology.operator.join;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.NestedLoopsJoin;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.List;

/**
 * A model is asked about every pair of the document with an item (paper, section 4.1, "Nested-loops
 * join").
 *
 * <pre>
 *   document ─┬─ item 1 ──► model ──► match?
 *             ├─ item 2 ──► model ──► match?      (a bounded number at a time)
 *             └─ …
 * </pre>
 *
 * <p>Of a join of two streams, the topology makes the pairs, and each comes here as one document.
 */
public final class NestedLoopsJoinExecutor implements OperatorExecutor<NestedLoopsJoin> {

  private final References references;

  public NestedLoopsJoinExecutor(References references) {
    this.references = references;
  }

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, NestedLoopsJoin technique, Document document, ModelClient client)
      throws InterruptedException {
    if (operator instanceof StreamJoin streams) {
      return StreamPair.with(
          streams,
          document,
          pair ->
              pair.outcome(
                  pair.ask(technique.model(), client), technique.model(), ExecutionStats.NONE));
    }
    return ReferenceJoinCall.with(
        operator,
        document,
        references,
        (join, view, shown) -> {
          List<Candidate> candidates = view.candidates();
          PairCalls.Result asked =
              PairCalls.ask(
                  new JoinPrompt(join.condition()), technique.model(), client, shown, candidates);
          return ReferenceJoinCall.outcome(
              join, document, candidates, asked, technique.model(), ExecutionStats.NONE, null);
        });
  }
}
