package dev.abacus.schemas.control;

/** A control record that is refused; the message says what is wrong and what would be right. */
public final class InvalidControlException extends Exception {

  private static final long serialVersionUID = 1L;

  public InvalidControlException(String message, Throwable cause) {
    super(message, cause);
  }

  public InvalidControlException(String message) {
    super(message);
  }
}
