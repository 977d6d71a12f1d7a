package dev.abacus.topology.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
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
    return new OperatorOutcome.Failed(new OperatorFailure.UnusableDocument(message), Expense.NONE);
  }

  /** What a model says of the pair. */
  Reply<Boolean> ask(String model, ModelClient client) throws InterruptedException {
    JoinQuestion question = new JoinQuestion(Objects.requireNonNull(join.condition()));
    Prompt prompt = new Prompt(question.system(), DocumentMessage.ofPair(left, right));
    return StructuredCall.ask(client, model, prompt, question);
  }

  /** The outcome by a model's reply. */
  OperatorOutcome outcome(Reply<Boolean> reply, String model, Expense earlier) {
    Expense expense = earlier.plus(reply.expense());
    return switch (reply) {
      case Reply.Answered<Boolean>(Boolean match, Expense _) -> outcome(match, expense);
      case Reply.Unanswered<Boolean>(ModelFailure failure, Expense _) ->
          new OperatorOutcome.Failed(new OperatorFailure.ModelFailed(model, failure), expense);
    };
  }

  /** The outcome if it is known whether the two match. */
  OperatorOutcome outcome(boolean match, Expense expense) {
    return match ? new OperatorOutcome.Kept(whole, expense) : new OperatorOutcome.Dropped(expense);
  }
}
