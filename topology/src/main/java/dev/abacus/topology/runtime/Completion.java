package dev.abacus.topology.runtime;

import java.util.List;

/**
 * The outputs of a record, in order; empty if the record yields nothing. They are forwarded in the
 * transaction that deletes the record from the pending store.
 *
 * @param committed runs when that transaction is committed, on the stream thread; not stored
 */
public record Completion(List<OutputRecord> outputs, Runnable committed) {

  /** No outputs. */
  public static final Completion EMPTY = new Completion(List.of());

  public Completion {
    outputs = List.copyOf(outputs);
  }

  public Completion(List<OutputRecord> outputs) {
    this(outputs, () -> {});
  }

  /** These outputs, and an action. */
  public Completion whenCommitted(Runnable action) {
    return new Completion(outputs, action);
  }

  /** One output. */
  public static Completion of(OutputRecord output) {
    return new Completion(List.of(output));
  }
}
