package dev.abacus.schemas.parse;

import java.util.List;
import java.util.stream.Collectors;

/** A text with at least one mistake; the message has one line for each. */
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
}
