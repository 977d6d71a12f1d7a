package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Reasoning;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.Execution;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One pair of a join of two streams with a condition.
 *
 * @param join a join with a condition
 * @param left the fields of the left document that the condition reads
 * @param right the right document
 */
public record StreamPair(StreamJoin join, Document left, Document right, Execution execution) {

  /**
   * The pair in a document: the left document with the right document in the join's field.
   *
   * @throws OperatorFailedException if the join has no condition, or if the document is no pair
   */
  static StreamPair of(StreamJoin join, Execution execution) throws OperatorFailedException {
    Document document = execution.document();
    if (!join.isSemantic()) {
      throw OperatorFailedException.unusablePlan(
          "join '%s' has no condition that a model could decide".formatted(join.id()));
    }
    if (!(document.get(join.into()) instanceof ObjectNode right)) {
      throw OperatorFailedException.unusableDocument(
          "the document has no partner under '" + join.into() + "'");
    }
    Document left = left(join, document);
    if (left.isEmpty()) {
      throw OperatorFailedException.unusableDocument(
          "the left document has none of the fields that the condition reads");
    }
    return new StreamPair(join, left, Document.of(right), execution);
  }

  static Document left(StreamJoin join, Document document) {
    if (!join.reads().isEmpty()) {
      return document.only(join.reads());
    }
    ObjectNode rest = document.toJson();
    rest.remove(join.into());
    return Document.of(rest);
  }

  /** The pair as one document: the left fields that the condition reads, and the right document. */
  public static Document shown(StreamJoin join, Document document) {
    return left(join, document).with(join.into(), document.get(join.into()));
  }

  /**
   * Asks a model whether the pair matches.
   *
   * @param reasoning how the model reasons before it answers; null as its card says
   */
  boolean ask(String model, @Nullable Reasoning reasoning, PairExamples examples)
      throws InterruptedException, OperatorFailedException {
    String condition = Objects.requireNonNull(join.condition());
    return execution.ask(
        model,
        examples.addTo(JoinPrompt.of(condition, left, right).reasoning(reasoning), left, right));
  }

  /** The outcome of a decision. */
  OperatorOutcome outcome(boolean match) {
    return match
        ? new OperatorOutcome.Kept(execution.document(), execution.stats())
        : new OperatorOutcome.Dropped(execution.stats());
  }
}
