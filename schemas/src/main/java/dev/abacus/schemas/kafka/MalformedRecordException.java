package dev.abacus.schemas.kafka;

import org.jspecify.annotations.Nullable;

/** A record whose bytes are not what its topic carries; the message says what and where. */
public final class MalformedRecordException extends Exception {

  private static final long serialVersionUID = 1L;

  public MalformedRecordException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
