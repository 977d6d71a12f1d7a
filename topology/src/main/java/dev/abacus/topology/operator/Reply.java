package dev.abacus.topology.operator;

import dev.abacus.topology.model.ModelFailure;

/** What came of asking a model a question. */
public sealed interface Reply<A> {

  /** What all attempts took together. */
  Expense expense();

  /** The same, with what was spent before. */
  default Reply<A> after(Expense earlier) {
    return switch (this) {
      case Answered<A>(A answer, Expense own) -> new Answered<>(answer, earlier.plus(own));
      case Unanswered<A>(ModelFailure failure, Expense own) ->
          new Unanswered<>(failure, earlier.plus(own));
    };
  }

  /** A valid answer. */
  record Answered<A>(A answer, Expense expense) implements Reply<A> {}

  /** No valid answer, retries and repairs included. */
  record Unanswered<A>(ModelFailure failure, Expense expense) implements Reply<A> {}
}
