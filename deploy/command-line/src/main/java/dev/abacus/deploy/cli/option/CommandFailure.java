package dev.abacus.deploy.cli.option;

import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;

/** Ends a command with a reason, a remedy and an exit code. */
public final class CommandFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Exit code of a worker or an optimizer that cannot continue. */
  public static final int CANNOT_CONTINUE = 4;

  /** Exit code of a command that a signal stopped, as in a shell. */
  public static final int INTERRUPTED = 130;

  private final String remedy;
  private final int exitCode;

  private CommandFailure(String what, String remedy, int exitCode, @Nullable Throwable cause) {
    super(what, cause);
    this.remedy = remedy;
    this.exitCode = exitCode;
  }

  /** The operation failed: exit code 1. */
  public static CommandFailure failed(String what, String remedy) {
    return new CommandFailure(what, remedy, ExitCode.SOFTWARE, null);
  }

  /** The operation failed with a cause, which {@code --verbose} shows: exit code 1. */
  public static CommandFailure failed(String what, String remedy, Throwable cause) {
    return new CommandFailure(what, remedy, ExitCode.SOFTWARE, cause);
  }

  /**
   * A worker or an optimizer cannot continue, and a new process may: exit code 4. The log has the
   * cause.
   */
  public static CommandFailure ended(String what) {
    return new CommandFailure(
        what, "The log has the cause; start the process again.", CANNOT_CONTINUE, null);
  }

  /** The input is invalid: exit code 2. */
  public static CommandFailure invalid(String what, String remedy) {
    return new CommandFailure(what, remedy, ExitCode.USAGE, null);
  }

  /** Refuses input that is not valid: exit code 2. */
  public static void require(boolean valid, String what, String remedy) {
    if (!valid) {
      throw invalid(what, remedy);
    }
  }

  /**
   * What is made of a user's input.
   *
   * @param made throws {@link IllegalArgumentException} with the reason if the input is invalid
   */
  public static <T> T checked(Supplier<T> made, String remedy) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw invalid(String.valueOf(e.getMessage()), remedy);
    }
  }

  /** As {@link #checked(Supplier, String)}, of the content of a file, which the reason names. */
  public static <T> T checked(Path file, Supplier<T> made, String remedy) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw invalid("%s: %s".formatted(file, e.getMessage()), remedy);
    }
  }

  /** A signal stopped the command: exit code 130, as in a shell. */
  public static CommandFailure interrupted(String what, String remedy) {
    return new CommandFailure(what, remedy, INTERRUPTED, null);
  }

  /** What the user can do, in one line. */
  public String remedy() {
    return remedy;
  }

  public int exitCode() {
    return exitCode;
  }
}
