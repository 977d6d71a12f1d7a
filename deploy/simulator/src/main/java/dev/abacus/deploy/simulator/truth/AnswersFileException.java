package dev.abacus.deploy.simulator.truth;

/** An answers file is unreadable or invalid; the message names file, line and key. */
public final class AnswersFileException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public AnswersFileException(String message) {
    super(message);
  }

  public AnswersFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
