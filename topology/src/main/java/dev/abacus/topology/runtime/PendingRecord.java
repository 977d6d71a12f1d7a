package dev.abacus.topology.runtime;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record that was admitted and whose outputs are not forwarded yet. It is in the pending store
 * and does not change.
 *
 * @param epoch the epoch that {@link Work#epoch} assigned at admission; a restart does not change
 *     it
 * @param admittedAt time of admission, in milliseconds
 */
public record PendingRecord(InputRecord input, long epoch, Instant admittedAt)
    implements PendingEntry {

  @Override
  public byte @Nullable [] key() {
    return input.key();
  }
}
