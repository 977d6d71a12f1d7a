package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.operator.OperatorFailure;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The result of the steps of a segment on a document. */
public sealed interface PlanOutcome {

  /** The total of all steps, including those before a restart. */
  ExecutionStats stats();

  /** The id of the operator whose step ended the execution; null for a result. */
  @Nullable String operator();

  /**
   * The document has passed all steps.
   *
   * @param documents one, or the outputs of one-to-many steps; never empty
   * @param fannedOut whether a one-to-many step has run, so that outputs are numbered
   */
  record Result(List<Document> documents, boolean fannedOut, ExecutionStats stats)
      implements PlanOutcome {
    public Result {
      documents = List.copyOf(documents);
    }

    @Override
    public @Nullable String operator() {
      return null;
    }

    /** The result with each document changed. */
    public Result mapped(UnaryOperator<Document> change) {
      return new Result(documents.stream().map(change).toList(), fannedOut, stats);
    }
  }

  /**
   * A step has no output: a filter dropped the document, or a one-to-many map or a join found
   * nothing.
   *
   * @param operator the id of the operator of this step
   */
  record Filtered(String operator, ExecutionStats stats) implements PlanOutcome {}

  /**
   * A step failed on the document or on an output of an earlier one-to-many step. The whole
   * document fails, because a consumer cannot distinguish some of its outputs from all of them.
   *
   * @param operator the id of the operator of this step
   * @param failure the reason
   * @param attempts the calls of chat models by this step
   * @param document the document before the step
   */
  record Failed(
      String operator,
      OperatorFailure failure,
      int attempts,
      Document document,
      ExecutionStats stats)
      implements PlanOutcome {}
}
