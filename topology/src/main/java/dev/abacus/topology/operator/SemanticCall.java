package dev.abacus.topology.operator;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;

/** What techniques have in common: how they begin, and the call that most of them end with. */
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
    String damaged = ImageCheck.problem(shown);
    return damaged == null
        ? technique.apply(question, shown)
        : new OperatorOutcome.Failed(new OperatorFailure.UnusableDocument(damaged), Expense.NONE);
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
    Prompt prompt = Prompt.of(question, shown);
    return conclude(
        question, document, model, earlier, StructuredCall.ask(client, model, prompt, question));
  }

  /** What the reply of the last call makes of the document. */
  static <A> OperatorOutcome conclude(
      OperatorQuestion<A> question,
      Document document,
      String model,
      Expense earlier,
      Reply<A> reply) {
    Expense expense = earlier.plus(reply.expense());
    return switch (reply) {
      case Reply.Answered<A>(A answer, Expense _) -> question.outcome(document, answer, expense);
      case Reply.Unanswered<A>(ModelFailure failure, Expense _) -> failed(model, failure, expense);
    };
  }

  /** A model that was needed gave no answer. */
  static OperatorOutcome failed(String model, ModelFailure failure, Expense expense) {
    return new OperatorOutcome.Failed(new OperatorFailure.ModelFailed(model, failure), expense);
  }

  /** The plan asks of an operator what cannot be done with it. */
  static OperatorOutcome unusable(LogicalOperator operator, String technique) {
    return new OperatorOutcome.Failed(
        new OperatorFailure.UnusablePlan(
            "%s does not make sense for the %s '%s'"
                .formatted(technique, operator.kind(), operator.id())),
        Expense.NONE);
  }
}
