package dev.abacus.schemas.document;

import org.jspecify.annotations.Nullable;

/** Bytes that are not a document; the message says what was found instead. */
public final class InvalidDocumentException extends Exception {

  private static final long serialVersionUID = 1L;

  public InvalidDocumentException(String message) {
    this(message, null);
  }

  public InvalidDocumentException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
