package dev.abacus.schemas.parse;

/**
 * One mistake in a text.
 *
 * @param line from 1
 * @param path where in the structure, such as {@code operators[2].reads}; empty for the whole
 * @param message what is wrong and what would be right
 */
public record Problem(int line, String path, String message) {

  @Override
  public String toString() {
    return "line " + line + (path.isEmpty() ? ": " : ", " + path + ": ") + message;
  }
}
