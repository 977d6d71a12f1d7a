package dev.abacus.topology.operator;

import dev.abacus.schemas.catalogue.TokenCounts;
import org.jspecify.annotations.Nullable;

/**
 * Hears of the calls for several documents that an execution takes part in, and says which ones it
 * waits for. Implementations must not block or throw.
 */
@FunctionalInterface
public interface BatchListener {

  /** Ignores all calls. */
  BatchListener NONE = (_, _) -> {};

  /** The listener of the execution of a thread. */
  ScopedValue<BatchListener> CURRENT = ScopedValue.newInstance();

  /**
   * The executions of one call. Live documents have none: those share a call that arrive together.
   *
   * @param id equal for the executions of one call
   * @param documents number of executions; the call waits for all of them
   */
  record Group(String id, int documents) {}

  /**
   * A call was made for several documents, one of which is that of this execution.
   *
   * @param documents at least 1
   * @param instruction the document's share of the tokens of the instruction, which the documents
   *     have in common
   */
  void called(int documents, TokenCounts instruction);

  /** The group of this execution; null for none. */
  default @Nullable Group group() {
    return null;
  }

  /** The listener of the execution of this thread; {@link #NONE} if it has none. */
  static BatchListener current() {
    return CURRENT.orElse(NONE);
  }
}
