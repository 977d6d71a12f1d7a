package dev.abacus.schemas.kafka;

import org.jspecify.annotations.Nullable;

/** A record has no value of the type of its topic; the message states the mistake. */
public final class MalformedRecordException extends Exception {

  private static final long serialVersionUID = 1L;

  public MalformedRecordException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
