package dev.abacus.topology.runtime;

import java.util.List;

/**
 * The outputs of a record, in order; empty if the record yields nothing. They are forwarded in the
 * transaction that deletes the record from the pending store.
 */
public record Completion(List<OutputRecord> outputs) {

  /** No outputs. */
  public static final Completion EMPTY = new Completion(List.of());

  public Completion {
    outputs = List.copyOf(outputs);
  }

  /** One output. */
  public static Completion of(OutputRecord output) {
    return new Completion(List.of(output));
  }
}
