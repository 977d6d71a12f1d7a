package dev.abacus.optimizer.kafka;

import org.jspecify.annotations.Nullable;

/** A record that cannot be used. The message says why, and what is expected. */
final class BadRecordException extends Exception {

  private static final long serialVersionUID = 1L;

  BadRecordException(String message) {
    this(message, null);
  }

  BadRecordException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
