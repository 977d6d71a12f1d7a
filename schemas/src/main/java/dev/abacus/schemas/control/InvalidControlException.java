package dev.abacus.schemas.control;

/** A control record is invalid; the message states the mistake and how to correct it. */
public final class InvalidControlException extends Exception {

  private static final long serialVersionUID = 1L;

  public InvalidControlException(String message, Throwable cause) {
    super(message, cause);
  }

  public InvalidControlException(String message) {
    super(message);
  }
}
