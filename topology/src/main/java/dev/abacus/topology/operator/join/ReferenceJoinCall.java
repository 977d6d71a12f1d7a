package dev.abacus.topology.operator.join;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the techniques of a join with a reference have in common. */
final class ReferenceJoinCall {

  private ReferenceJoinCall() {}

  /** What a technique does once it knows the two sides. */
  @FunctionalInterface
  interface Technique {
    OperatorOutcome apply(ReferenceJoin join, ReferenceView view, Document shown)
        throws InterruptedException;
  }

  /** Runs a technique if the operator is such a join, and the document has something to show. */
  static OperatorOutcome with(
      LogicalOperator operator, Document document, References references, Technique technique)
      throws InterruptedException {
    if (!(operator instanceof ReferenceJoin join)) {
      return JoinOutputs.unusablePlan(
          "a %s ('%s') is no join with a reference".formatted(operator.kind(), operator.id()));
    }
    ReferenceView view = references.find(join.with());
    if (view == null) {
      return JoinOutputs.unusablePlan("there is no reference '" + join.with() + "'");
    }
    Document shown = OperatorPrompt.input(join, document);
    if (shown.isEmpty()) {
      return new OperatorOutcome.Failed(
          new OperatorFailure.UnusableDocument(
              "the document has none of " + String.join(", ", join.reads())),
          ExecutionStats.NONE);
    }
    return technique.apply(join, view, shown);
  }

  /**
   * The outcome once all is known.
   *
   * @param candidates in the order of their keys; those that the result says match, do
   * @param earlier what was spent before the calls
   */
  static OperatorOutcome outcome(
      ReferenceJoin join,
      Document document,
      List<Candidate> candidates,
      PairCalls.Result asked,
      String model,
      ExecutionStats earlier,
      @Nullable Evidence evidence) {
    ExecutionStats stats = earlier.plus(asked.stats());
    ModelFailure failure = asked.failure();
    if (failure != null) {
      return new OperatorOutcome.Failed(new OperatorFailure.ModelFailed(model, failure), stats);
    }
    List<ReferenceItem> matches =
        candidates.stream()
            .map(Candidate::item)
            .filter(item -> asked.matches().getOrDefault(item.id(), false))
            .toList();
    return new OperatorOutcome.Kept(JoinOutputs.of(join, document, matches), stats, evidence);
  }
}
