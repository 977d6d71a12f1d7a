package dev.abacus.topology.runtime;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record that was admitted and whose outputs are not forwarded yet. It is in the pending store
 * and does not change.
 *
 * @param epoch the epoch of {@link Work#epoch}; in the store, {@link Work#UNSTAMPED} if {@link
 *     Work#stamp} decides
 * @param admittedAt time of admission, in milliseconds
 */
public record PendingRecord(InputRecord input, long epoch, Instant admittedAt)
    implements PendingEntry {

  /** The input of a record in the changelog of a pending store; null if the record has none. */
  public static @Nullable InputRecord inputOf(byte @Nullable [] changelog) {
    return changelog != null
            && PendingEntrySerde.LAYOUT.read(changelog) instanceof PendingRecord pending
        ? pending.input()
        : null;
  }

  PendingRecord withEpoch(long stamp) {
    return new PendingRecord(input, stamp, admittedAt);
  }

  @Override
  public byte @Nullable [] key() {
    return input.key();
  }

  @Override
  public int size() {
    return input.size();
  }
}
