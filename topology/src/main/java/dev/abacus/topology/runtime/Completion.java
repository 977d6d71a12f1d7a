package dev.abacus.topology.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of a record, in order; empty if the record yields nothing. They are forwarded in the
 * transaction that deletes the record from the pending store.
 *
 * @param committed runs when that transaction is committed, on the stream thread; not stored
 * @param checkpoint the state from which another run ends at once; stored if earlier records of the
 *     key delay the outputs; null for none
 */
public record Completion(
    List<OutputRecord> outputs, Runnable committed, @Nullable Supplier<byte[]> checkpoint) {

  /** No outputs. */
  public static final Completion EMPTY = new Completion(List.of());

  public Completion {
    outputs = List.copyOf(outputs);
  }

  public Completion(List<OutputRecord> outputs) {
    this(outputs, () -> {}, null);
  }

  /** These outputs, and an action. */
  public Completion whenCommitted(Runnable action) {
    return new Completion(outputs, action, checkpoint);
  }

  /** These outputs, and the state of their finished work. */
  public Completion withCheckpoint(Supplier<byte[]> state) {
    return new Completion(outputs, committed, state);
  }

  /** These outputs and more behind them. */
  public Completion plus(List<OutputRecord> more) {
    List<OutputRecord> all = new ArrayList<>(outputs);
    all.addAll(more);
    return new Completion(all, committed, checkpoint);
  }

  /** One output. */
  public static Completion of(OutputRecord output) {
    return new Completion(List.of(output));
  }
}
