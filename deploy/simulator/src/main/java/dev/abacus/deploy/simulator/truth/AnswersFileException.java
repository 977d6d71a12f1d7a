package dev.abacus.deploy.simulator.truth;

/** An answers file that cannot be used; the message names file, line and key. */
public final class AnswersFileException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Says what is wrong, and where. */
  public AnswersFileException(String message) {
    super(message);
  }

  /** Says what is wrong, and where. */
  public AnswersFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
