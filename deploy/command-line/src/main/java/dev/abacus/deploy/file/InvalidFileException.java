package dev.abacus.deploy.file;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file is missing or invalid; the message names the file and the line. */
public final class InvalidFileException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private InvalidFileException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * A line is invalid.
   *
   * @param line line number, from 1
   */
  public static InvalidFileException at(Path file, int line, String message) {
    return new InvalidFileException("%s, line %d: %s".formatted(file, line, message), null);
  }

  /** The file as a whole is invalid. */
  public static InvalidFileException of(Path file, String message) {
    return new InvalidFileException(file + ": " + message, null);
  }

  /** The file cannot be read or written. */
  public static InvalidFileException of(Path file, String message, Throwable cause) {
    return new InvalidFileException(file + ": " + message, cause);
  }
}
