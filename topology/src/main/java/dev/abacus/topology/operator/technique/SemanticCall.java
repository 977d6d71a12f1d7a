package dev.abacus.topology.operator.technique;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.Execution;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.Prompt;

/**
 * One execution of a map or a filter on a document: the part that techniques share.
 *
 * @param operator the prompt of the operator
 * @param input the part of the document that the model sees
 */
record SemanticCall<A>(OperatorPrompt<A> operator, Document input, Execution execution) {

  /**
   * A call about the fields that the operator reads.
   *
   * @throws OperatorFailedException if a model cannot be asked about them
   */
  static SemanticCall<?> of(Execution execution) throws OperatorFailedException {
    LogicalOperator operator = execution.operator();
    OperatorPrompt<?> prompt = OperatorPrompt.of(operator);
    if (prompt == null) {
      throw OperatorFailedException.unusablePlan(
          "a %s ('%s') is not carried out by a model".formatted(operator.kind(), operator.id()));
    }
    Document input = OperatorPrompt.input(operator, execution.document());
    if (input.isEmpty()) {
      throw OperatorFailedException.unusableDocument(
          "the document has "
              + (operator.reads().isEmpty()
                  ? "no field"
                  : "none of " + String.join(", ", operator.reads())));
    }
    String invalid = DocumentMessage.invalidMedia(input);
    if (invalid != null) {
      throw OperatorFailedException.unusableDocument(invalid);
    }
    return new SemanticCall<>(prompt, input, execution);
  }

  /** The same execution with another input for the model. */
  SemanticCall<A> withInput(Document other) {
    return new SemanticCall<>(operator, other, execution);
  }

  /** The operator. */
  LogicalOperator logical() {
    return execution.operator();
  }

  /** The operator's prompt about the input. */
  Prompt<A> prompt() {
    return operator.about(input);
  }

  /** Calls a model. */
  <B> B ask(String model, Prompt<B> prompt) throws InterruptedException, OperatorFailedException {
    return execution.ask(model, prompt);
  }

  /** Calls a model with the operator's prompt and ends with its answer. */
  OperatorOutcome answer(String model) throws InterruptedException, OperatorFailedException {
    return outcome(ask(model, prompt()));
  }

  /** The outcome of the last answer. */
  OperatorOutcome outcome(A answer) {
    return operator.outcome(execution.document(), answer, execution.stats());
  }
}
