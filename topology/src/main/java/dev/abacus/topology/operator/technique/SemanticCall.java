package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Reasoning;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import org.jspecify.annotations.Nullable;

/**
 * One execution of a map or a filter on a document: the part that techniques share.
 *
 * @param operator the prompt of the operator
 * @param document the whole document, to which a map adds its fields
 * @param input the part of the document that the model sees
 * @param client the model client of this document
 */
record SemanticCall<A>(
    OperatorPrompt<A> operator, Document document, Document input, ModelClient client) {

  /** The part of a technique that differs from the others. */
  @FunctionalInterface
  interface Technique {
    OperatorOutcome run(SemanticCall<?> call) throws InterruptedException;
  }

  /**
   * Checks operator and document, then runs the technique on the fields that the operator reads.
   */
  static OperatorOutcome run(
      LogicalOperator operator, Document document, ModelClient client, Technique technique)
      throws InterruptedException {
    OperatorPrompt<?> prompt = OperatorPrompt.of(operator);
    if (prompt == null) {
      return OperatorOutcome.Failed.unusablePlan(
          "a %s ('%s') is not carried out by a model".formatted(operator.kind(), operator.id()));
    }
    Document input = OperatorPrompt.input(operator, document);
    if (input.isEmpty()) {
      return OperatorOutcome.Failed.unusableDocument(
          "the document has "
              + (operator.reads().isEmpty()
                  ? "no field"
                  : "none of " + String.join(", ", operator.reads())));
    }
    String invalid = DocumentMessage.invalidImage(input);
    return invalid == null
        ? technique.run(new SemanticCall<>(prompt, document, input, client))
        : OperatorOutcome.Failed.unusableDocument(invalid);
  }

  /**
   * A call about the fields that the operator reads; null if a model cannot be asked about them.
   */
  static @Nullable SemanticCall<?> of(
      LogicalOperator operator, Document document, ModelClient client) {
    OperatorPrompt<?> prompt = OperatorPrompt.of(operator);
    Document input = OperatorPrompt.input(operator, document);
    return prompt == null || input.isEmpty() || DocumentMessage.invalidImage(input) != null
        ? null
        : new SemanticCall<>(prompt, document, input, client);
  }

  /** The same execution with another input for the model. */
  SemanticCall<A> withInput(Document other) {
    return new SemanticCall<>(operator, document, other, client);
  }

  /** The operator's prompt about the input. */
  Prompt<A> prompt() {
    return operator.about(input);
  }

  /** Calls a model. */
  <B> StructuredAnswer<B> ask(String model, Prompt<B> prompt) throws InterruptedException {
    return StructuredCall.ask(client, model, prompt);
  }

  /** Calls a model with the operator's prompt and ends with its answer. */
  OperatorOutcome answer(String model, ExecutionStats earlier) throws InterruptedException {
    return answer(model, null, earlier);
  }

  /**
   * Calls a model with the operator's prompt and ends with its answer.
   *
   * @param reasoning how the model reasons before it answers; null as its card says
   */
  OperatorOutcome answer(String model, @Nullable Reasoning reasoning, ExecutionStats earlier)
      throws InterruptedException {
    return outcome(model, ask(model, prompt().reasoning(reasoning)).after(earlier));
  }

  /** The outcome of the last answer, whose statistics include all calls. */
  OperatorOutcome outcome(String model, StructuredAnswer<A> last) {
    return switch (last) {
      case StructuredAnswer.Valid<A>(A answer, ExecutionStats stats) ->
          operator.outcome(document, answer, stats);
      case StructuredAnswer.Failed<A>(ModelFailure failure, ExecutionStats stats) ->
          OperatorOutcome.Failed.ofModel(model, failure, stats);
    };
  }
}
