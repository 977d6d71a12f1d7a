package dev.abacus.topology.operator.join;

import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.Execution;
import java.util.List;
import java.util.Map;

/**
 * Asks a model about every pair of the document with an item (paper, section 4.1, "Nested-loops
 * join").
 *
 * <pre>
 *   document ─┬─ item 1 ──► model ──► match?
 *             ├─ item 2 ──► model ──► match?      (with bounded concurrency)
 *             └─ …
 * </pre>
 *
 * <p>A prompt may show labelled pairs. For a join of two streams, the topology builds the pairs,
 * and each pair is one document.
 */
public final class NestedLoopsJoinExecutor {

  private NestedLoopsJoinExecutor() {}

  /**
   * Runs the operator on a document.
   *
   * @throws OperatorFailedException if the technique cannot be completed
   */
  public static OperatorOutcome run(
      Execution execution, NestedLoopsJoin technique, References references)
      throws InterruptedException, OperatorFailedException {
    PairExamples.require(execution.operator(), technique);
    if (execution.operator() instanceof StreamJoin join) {
      StreamPair pair = StreamPair.of(join, execution);
      return pair.outcome(
          pair.ask(technique.model(), technique.reasoning(), PairExamples.of(technique)));
    }
    ReferenceJoinCall call = ReferenceJoinCall.of(execution, references);
    List<Candidate> candidates = call.reference().candidates();
    PairExamples examples = PairExamples.of(technique, call.reference());
    Map<String, Boolean> asked =
        call.ask(technique.model(), technique.reasoning(), examples, candidates);
    return call.outcome(
        candidates, asked, new Evidence.Pairs(call.pairs(candidates, asked, asked)));
  }
}
