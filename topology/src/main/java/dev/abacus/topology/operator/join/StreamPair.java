package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.PromptMessages;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.util.Objects;

/**
 * One pair of a join of two streams, as its condition sees it.
 *
 * @param join one with a condition
 * @param whole the left document with the right one under the join's field
 * @param left the fields of the left document that bear on the condition
 * @param right the right document
 */
public record StreamPair(StreamJoin join, Document whole, Document left, Document right) {

  /** What a technique does with a pair. */
  @FunctionalInterface
  interface Technique {
    OperatorOutcome apply(StreamPair pair) throws InterruptedException;
  }

  /** Runs a technique if the document is a pair with something to show of both sides. */
  static OperatorOutcome with(StreamJoin join, Document document, Technique technique)
      throws InterruptedException {
    if (!join.isSemantic()) {
      return JoinOutputs.unusablePlan(
          "join '%s' has no condition that a model could decide".formatted(join.id()));
    }
    if (!(document.get(join.into()) instanceof ObjectNode right)) {
      return unusable("the document has no partner under '" + join.into() + "'");
    }
    Document left = left(join, document);
    return left.isEmpty()
        ? unusable("the left document has none of the fields that the condition reads")
        : technique.apply(new StreamPair(join, document, left, Document.of(right)));
  }

  static Document left(StreamJoin join, Document document) {
    if (!join.reads().isEmpty()) {
      return document.only(join.reads());
    }
    ObjectNode rest = document.toJson();
    rest.remove(join.into());
    return Document.of(rest);
  }

  /** A pair as one document: what the condition reads of the left one, and the right one. */
  public static Document shown(StreamJoin join, Document document) {
    return left(join, document).with(join.into(), document.get(join.into()));
  }

  private static OperatorOutcome unusable(String message) {
    return new OperatorOutcome.Failed(
        new OperatorFailure.UnusableDocument(message), ExecutionStats.NONE);
  }

  /** What a model says of the pair. */
  StructuredAnswer<Boolean> ask(String model, ModelClient client) throws InterruptedException {
    JoinPrompt question = new JoinPrompt(Objects.requireNonNull(join.condition()));
    PromptMessages prompt =
        new PromptMessages(question.system(), DocumentMessage.ofPair(left, right));
    return StructuredCall.ask(client, model, prompt, question);
  }

  /** The outcome by a model's reply. */
  OperatorOutcome outcome(StructuredAnswer<Boolean> reply, String model, ExecutionStats earlier) {
    ExecutionStats stats = earlier.plus(reply.stats());
    return switch (reply) {
      case StructuredAnswer.Answered<Boolean>(Boolean match, ExecutionStats _) ->
          outcome(match, stats);
      case StructuredAnswer.Unanswered<Boolean>(ModelFailure failure, ExecutionStats _) ->
          new OperatorOutcome.Failed(new OperatorFailure.ModelFailed(model, failure), stats);
    };
  }

  /** The outcome if it is known whether the two match. */
  OperatorOutcome outcome(boolean match, ExecutionStats stats) {
    return match ? new OperatorOutcome.Kept(whole, stats) : new OperatorOutcome.Dropped(stats);
  }
}
