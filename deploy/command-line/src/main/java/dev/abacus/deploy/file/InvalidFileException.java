package dev.abacus.deploy.file;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file that is missing or does not hold what it should; the message names file and line. */
public final class InvalidFileException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private InvalidFileException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Line {@code line}, from 1, is not what it should be. */
  public static InvalidFileException at(Path file, int line, String message) {
    return new InvalidFileException("%s, line %d: %s".formatted(file, line, message), null);
  }

  /** Something is wrong with the file as a whole. */
  public static InvalidFileException of(Path file, String message) {
    return new InvalidFileException(file + ": " + message, null);
  }

  /** The file could not be read or written. */
  public static InvalidFileException of(Path file, String message, Throwable cause) {
    return new InvalidFileException(file + ": " + message, cause);
  }
}
