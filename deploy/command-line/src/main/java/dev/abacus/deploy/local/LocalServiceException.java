package dev.abacus.deploy.local;

import org.jspecify.annotations.Nullable;

/** A part of the local stack did not start; the message says which, why, and what can be done. */
public final class LocalServiceException extends RuntimeException {

  LocalServiceException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
