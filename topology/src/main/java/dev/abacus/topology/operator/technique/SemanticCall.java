package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.ImageCheck;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.PromptMessages;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;

/** What techniques have in common: how they begin, and the call that most of them end with. */
final class SemanticCall {

  private SemanticCall() {}

  /** What a technique does once it knows the question and what there is to show. */
  @FunctionalInterface
  interface Technique {
    OperatorOutcome apply(OperatorPrompt<?> question, Document shown) throws InterruptedException;
  }

  /** Runs a technique if the operator asks a model, and the document has something to show. */
  static OperatorOutcome with(LogicalOperator operator, Document document, Technique technique)
      throws InterruptedException {
    OperatorPrompt<?> question = OperatorPrompt.of(operator);
    if (question == null) {
      return new OperatorOutcome.Failed(
          new OperatorFailure.UnusablePlan(
              "a %s ('%s') is not carried out by a model"
                  .formatted(operator.kind(), operator.id())),
          ExecutionStats.NONE);
    }
    Document shown = OperatorPrompt.input(operator, document);
    if (shown.isEmpty()) {
      String fields =
          operator.reads().isEmpty()
              ? "no field"
              : "none of " + String.join(", ", operator.reads());
      return new OperatorOutcome.Failed(
          new OperatorFailure.UnusableDocument("the document has " + fields), ExecutionStats.NONE);
    }
    String damaged = ImageCheck.problem(shown);
    return damaged == null
        ? technique.apply(question, shown)
        : new OperatorOutcome.Failed(
            new OperatorFailure.UnusableDocument(damaged), ExecutionStats.NONE);
  }

  /**
   * Asks.
   *
   * @param shown what the model sees of the document
   * @param earlier what was spent before the call
   */
  static <A> OperatorOutcome ask(
      OperatorPrompt<A> question,
      Document document,
      Document shown,
      String model,
      ModelClient client,
      ExecutionStats earlier)
      throws InterruptedException {
    PromptMessages prompt = PromptMessages.of(question, shown);
    return conclude(
        question, document, model, earlier, StructuredCall.ask(client, model, prompt, question));
  }

  /** What the reply of the last call makes of the document. */
  static <A> OperatorOutcome conclude(
      OperatorPrompt<A> question,
      Document document,
      String model,
      ExecutionStats earlier,
      StructuredAnswer<A> reply) {
    ExecutionStats stats = earlier.plus(reply.stats());
    return switch (reply) {
      case StructuredAnswer.Answered<A>(A answer, ExecutionStats _) ->
          question.outcome(document, answer, stats);
      case StructuredAnswer.Unanswered<A>(ModelFailure failure, ExecutionStats _) ->
          failed(model, failure, stats);
    };
  }

  /** A model that was needed gave no answer. */
  static OperatorOutcome failed(String model, ModelFailure failure, ExecutionStats stats) {
    return new OperatorOutcome.Failed(new OperatorFailure.ModelFailed(model, failure), stats);
  }

  /** The plan asks of an operator what cannot be done with it. */
  static OperatorOutcome unusable(LogicalOperator operator, String technique) {
    return new OperatorOutcome.Failed(
        new OperatorFailure.UnusablePlan(
            "%s does not make sense for the %s '%s'"
                .formatted(technique, operator.kind(), operator.id())),
        ExecutionStats.NONE);
  }
}
