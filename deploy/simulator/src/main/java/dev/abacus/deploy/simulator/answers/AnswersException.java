package dev.abacus.deploy.simulator.answers;

/** An answers file that cannot be used; the message names file, line and key. */
public final class AnswersException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Says what is wrong, and where. */
  public AnswersException(String message) {
    super(message);
  }

  /** Says what is wrong, and where. */
  public AnswersException(String message, Throwable cause) {
    super(message, cause);
  }
}
