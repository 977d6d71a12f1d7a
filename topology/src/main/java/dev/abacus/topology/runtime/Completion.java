package dev.abacus.topology.runtime;

import java.util.List;

/**
 * What became of a record: the outputs to forward, in order; none if the record yields nothing.
 * They leave in one transaction with the removal of the record from the pending store.
 */
public record Completion(List<OutputRecord> outputs) {

  public Completion {
    outputs = List.copyOf(outputs);
  }
}
