package dev.abacus.topology.runtime;

import java.io.Serial;

/**
 * An entry of the pending store that this build cannot read: written by a newer one, or damaged.
 * The task does not open, so that nothing is lost.
 */
public final class UnreadableEntryException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  UnreadableEntryException(String message) {
    super(message);
  }
}
