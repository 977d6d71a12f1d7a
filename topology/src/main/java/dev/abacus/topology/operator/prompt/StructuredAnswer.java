package dev.abacus.topology.operator.prompt;

import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.operator.ExecutionStats;

/** What came of asking a model a question. */
public sealed interface StructuredAnswer<A> {

  /** What all attempts took together. */
  ExecutionStats stats();

  /** The same, with what was spent before. */
  default StructuredAnswer<A> after(ExecutionStats earlier) {
    return switch (this) {
      case Answered<A>(A answer, ExecutionStats own) -> new Answered<>(answer, earlier.plus(own));
      case Unanswered<A>(ModelFailure failure, ExecutionStats own) ->
          new Unanswered<>(failure, earlier.plus(own));
    };
  }

  /** A valid answer. */
  record Answered<A>(A answer, ExecutionStats stats) implements StructuredAnswer<A> {}

  /** No valid answer, retries and repairs included. */
  record Unanswered<A>(ModelFailure failure, ExecutionStats stats) implements StructuredAnswer<A> {}
}
