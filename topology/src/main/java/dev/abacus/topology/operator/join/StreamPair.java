package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Reasoning;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One pair of a join of two streams with a condition.
 *
 * @param join a join with a condition
 * @param document the left document with the right document in the join's field
 * @param left the fields of the left document that the condition reads
 * @param right the right document
 */
public record StreamPair(StreamJoin join, Document document, Document left, Document right) {

  /** The part of a technique that differs from the others. */
  @FunctionalInterface
  interface Technique {
    OperatorOutcome run(StreamPair pair) throws InterruptedException;
  }

  /** Checks join and document, then runs the technique. */
  static OperatorOutcome run(StreamJoin join, Document document, Technique technique)
      throws InterruptedException {
    if (!join.isSemantic()) {
      return OperatorOutcome.Failed.unusablePlan(
          "join '%s' has no condition that a model could decide".formatted(join.id()));
    }
    if (!(document.get(join.into()) instanceof ObjectNode right)) {
      return OperatorOutcome.Failed.unusableDocument(
          "the document has no partner under '" + join.into() + "'");
    }
    Document left = left(join, document);
    return left.isEmpty()
        ? OperatorOutcome.Failed.unusableDocument(
            "the left document has none of the fields that the condition reads")
        : technique.run(new StreamPair(join, document, left, Document.of(right)));
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
  StructuredAnswer<Boolean> ask(
      String model, @Nullable Reasoning reasoning, PairExamples examples, ModelClient client)
      throws InterruptedException {
    String condition = Objects.requireNonNull(join.condition());
    return StructuredCall.ask(
        client,
        model,
        examples.addTo(JoinPrompt.of(condition, left, right).reasoning(reasoning), left, right));
  }

  /** The outcome of a model's answer. */
  OperatorOutcome outcome(String model, StructuredAnswer<Boolean> answer, ExecutionStats earlier) {
    return switch (answer.after(earlier)) {
      case StructuredAnswer.Valid<Boolean>(Boolean match, ExecutionStats stats) ->
          outcome(match, stats);
      case StructuredAnswer.Failed<Boolean>(ModelFailure failure, ExecutionStats stats) ->
          OperatorOutcome.Failed.ofModel(model, failure, stats);
    };
  }

  /** The outcome of a decision. */
  OperatorOutcome outcome(boolean match, ExecutionStats stats) {
    return match ? new OperatorOutcome.Kept(document, stats) : new OperatorOutcome.Dropped(stats);
  }
}
