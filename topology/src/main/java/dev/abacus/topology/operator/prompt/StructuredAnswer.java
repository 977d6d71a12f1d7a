package dev.abacus.topology.operator.prompt;

import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelFailure;

/**
 * The result of a {@link StructuredCall}.
 *
 * @param <A> the type of a parsed answer
 */
public sealed interface StructuredAnswer<A> {

  /** The sum over all attempts. */
  ExecutionStats stats();

  /** An answer of the format asked for. */
  record Valid<A>(A answer, ExecutionStats stats) implements StructuredAnswer<A> {}

  /** No valid answer after all retries and repairs. */
  record Failed<A>(ModelFailure failure, ExecutionStats stats) implements StructuredAnswer<A> {}
}
