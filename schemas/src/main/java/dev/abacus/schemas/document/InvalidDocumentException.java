package dev.abacus.schemas.document;

import org.jspecify.annotations.Nullable;

/** Bytes are not a document; the message states why. */
public final class InvalidDocumentException extends Exception {

  private static final long serialVersionUID = 1L;

  public InvalidDocumentException(String message) {
    this(message, null);
  }

  public InvalidDocumentException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
