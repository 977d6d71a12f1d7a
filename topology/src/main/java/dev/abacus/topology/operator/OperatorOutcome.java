package dev.abacus.topology.operator;

import dev.abacus.schemas.document.Document;
import java.util.Objects;

/** What an operator made of a document. */
public sealed interface OperatorOutcome {

  /** What it took. */
  Expense expense();

  /** The document goes on, with what the operator wrote. */
  record Kept(Document document, Expense expense) implements OperatorOutcome {
    public Kept {
      Objects.requireNonNull(document, "document");
    }
  }

  /** A filter's condition does not hold. Said by a model, never concluded from a failure. */
  record Dropped(Expense expense) implements OperatorOutcome {}

  /** There is no valid answer, retries and repairs included. */
  record Failed(OperatorFailure failure, Expense expense) implements OperatorOutcome {
    public Failed {
      Objects.requireNonNull(failure, "failure");
    }

    /** Calls of chat models that were made. */
    public int attempts() {
      return expense.calls();
    }
  }
}
