package dev.abacus.deploy.local;

import org.jspecify.annotations.Nullable;

/** A service of the local stack did not start; the message states which, why, and the remedy. */
public final class LocalServiceException extends RuntimeException {

  LocalServiceException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
