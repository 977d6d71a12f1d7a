package dev.abacus.topology.runtime;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the pending store holds under one sequence number. */
sealed interface Pending {

  /** The record's key, which is its lane. */
  byte @Nullable [] key();

  /** A record whose work is not forwarded yet. */
  record Admission(InputRecord input, long epoch, Instant admittedAt) implements Pending {
    @Override
    public byte @Nullable [] key() {
      return input.key();
    }
  }

  /** A completion that waits for its turn in its lane, of a record that was too large to keep. */
  @SuppressWarnings("ArrayRecordComponent") // identity is meant: two answers are never compared
  record Answer(byte @Nullable [] key, Completion completion) implements Pending {}
}
