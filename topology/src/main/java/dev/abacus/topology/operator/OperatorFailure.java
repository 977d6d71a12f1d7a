package dev.abacus.topology.operator;

import dev.abacus.topology.model.ModelFailure;

/** The reason why an operator has no result for a document. */
public sealed interface OperatorFailure {

  /** A description for the reader of the dead letter. */
  String message();

  /** A chat or embedding model gave no valid answer. */
  record ModelFailed(String model, ModelFailure failure) implements OperatorFailure {
    @Override
    public String message() {
      return "model " + model + ": " + failure.message();
    }
  }

  /** The document lacks the input of the operator. */
  record UnusableDocument(String message) implements OperatorFailure {}

  /** The plan cannot be executed, whatever the document. */
  record UnusablePlan(String message) implements OperatorFailure {}
}
