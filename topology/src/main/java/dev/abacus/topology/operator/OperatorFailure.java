package dev.abacus.topology.operator;

import dev.abacus.topology.model.ModelFailure;

/** Why an operator could not do its work on a document. */
public sealed interface OperatorFailure {

  /** What happened, in words for the person who reads the dead letter. */
  String message();

  /** Whether the same document may succeed later, as when an endpoint is down. */
  boolean retryable();

  /** A chat or embedding model gave no answer, or none that could be used. */
  record ModelFailed(String model, ModelFailure failure) implements OperatorFailure {
    @Override
    public String message() {
      return "model " + model + ": " + failure.message();
    }

    @Override
    public boolean retryable() {
      return failure.retryable();
    }
  }

  /** The document has nothing that the operator could work on. */
  record UnusableDocument(String message) implements OperatorFailure {
    @Override
    public boolean retryable() {
      return false;
    }
  }

  /** The plan asks for something that cannot be done; it, not the document, is at fault. */
  record UnusablePlan(String message) implements OperatorFailure {
    @Override
    public boolean retryable() {
      return false;
    }
  }
}
