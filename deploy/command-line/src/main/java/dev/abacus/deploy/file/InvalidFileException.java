package dev.abacus.deploy.file;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A file is missing or has mistakes; the message has one line for each, with file and line. */
public final class InvalidFileException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private static final int SHOWN = 20;

  private final transient List<Mistake> mistakes;

  /**
   * One mistake.
   *
   * @param line counted from 1; 0 if it concerns the file as a whole
   */
  public record Mistake(Path file, int line, String message) {

    @Override
    public String toString() {
      return file + (line == 0 ? ": " : ", line " + line + ": ") + message;
    }
  }

  private InvalidFileException(List<Mistake> mistakes, @Nullable Throwable cause) {
    super(text(mistakes), cause);
    this.mistakes = List.copyOf(mistakes);
  }

  private static String text(List<Mistake> mistakes) {
    String shown =
        mistakes.stream().limit(SHOWN).map(Mistake::toString).collect(Collectors.joining("\n"));
    return mistakes.size() <= SHOWN
        ? shown
        : shown + "\n… and %d more mistakes".formatted(mistakes.size() - SHOWN);
  }

  /** All mistakes, in the order of the file. */
  public List<Mistake> mistakes() {
    return mistakes;
  }

  /** The mistakes of several lines as one exception. */
  static InvalidFileException all(List<InvalidFileException> exceptions) {
    return new InvalidFileException(
        exceptions.stream().flatMap(one -> one.mistakes.stream()).toList(), null);
  }

  /**
   * A line is invalid.
   *
   * @param line line number, from 1
   */
  public static InvalidFileException at(Path file, int line, String message) {
    return new InvalidFileException(List.of(new Mistake(file, line, message)), null);
  }

  /** The file as a whole is invalid. */
  public static InvalidFileException of(Path file, String message) {
    return at(file, 0, message);
  }

  /** The file cannot be read or written. */
  public static InvalidFileException of(Path file, String message, Throwable cause) {
    return new InvalidFileException(List.of(new Mistake(file, 0, message)), cause);
  }
}
