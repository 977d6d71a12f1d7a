package dev.abacus.topology.operator;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;

/** The call that ends every technique so far: one question, one model, one document shown. */
final class SemanticCall {

  private SemanticCall() {}

  /** What a technique does once it knows the question and what there is to show. */
  @FunctionalInterface
  interface Technique {
    OperatorOutcome apply(OperatorQuestion<?> question, Document shown) throws InterruptedException;
  }

  /** Runs a technique if the operator asks a model, and the document has something to show. */
  static OperatorOutcome with(LogicalOperator operator, Document document, Technique technique)
      throws InterruptedException {
    OperatorQuestion<?> question = OperatorQuestion.of(operator);
    if (question == null) {
      return new OperatorOutcome.Failed(
          new OperatorFailure.UnusablePlan(
              "a %s ('%s') is not carried out by a model"
                  .formatted(operator.kind(), operator.id())),
          Expense.NONE);
    }
    Document shown = OperatorQuestion.read(operator, document);
    if (shown.isEmpty()) {
      String fields =
          operator.reads().isEmpty()
              ? "no field"
              : "none of " + String.join(", ", operator.reads());
      return new OperatorOutcome.Failed(
          new OperatorFailure.UnusableDocument("the document has " + fields), Expense.NONE);
    }
    return technique.apply(question, shown);
  }

  /**
   * Asks.
   *
   * @param shown what the model sees of the document
   * @param earlier what was spent before the call
   */
  static <A> OperatorOutcome ask(
      OperatorQuestion<A> question,
      Document document,
      Document shown,
      String model,
      ModelClient client,
      Expense earlier)
      throws InterruptedException {
    Prompt prompt = new Prompt(question.system(), DocumentMessage.of(shown));
    return switch (StructuredCall.ask(client, model, prompt, question)) {
      case Reply.Answered<A>(A answer, Expense expense) ->
          question.outcome(document, answer, earlier.plus(expense));
      case Reply.Unanswered<A>(var failure, Expense expense) ->
          new OperatorOutcome.Failed(
              new OperatorFailure.ModelFailed(model, failure), earlier.plus(expense));
    };
  }
}
