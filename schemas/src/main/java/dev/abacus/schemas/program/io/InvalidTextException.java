package dev.abacus.schemas.program.io;

import java.util.List;
import java.util.stream.Collectors;

/** A YAML or JSON text has mistakes; the message has one line for each. */
public final class InvalidTextException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  public InvalidTextException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  public List<Problem> problems() {
    return problems;
  }

  /**
   * One mistake in a text.
   *
   * @param line counted from 1
   * @param path position in the structure, such as {@code operators[2].reads}; empty for the root
   * @param message the mistake and how to correct it
   */
  public record Problem(int line, String path, String message) {

    @Override
    public String toString() {
      return "line " + line + (path.isEmpty() ? ": " : ", " + path + ": ") + message;
    }
  }
}
