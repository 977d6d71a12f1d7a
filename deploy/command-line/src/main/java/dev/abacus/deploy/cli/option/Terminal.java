package dev.abacus.deploy.cli.option;

import java.io.Console;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * What standard output can show. Lines that go into a pipe or a file have any width and no colour.
 *
 * @param width columns of a line; at least {@link #LEAST_WIDTH}
 * @param colours whether escape sequences of ANSI set colours
 */
public record Terminal(int width, boolean colours) {

  /** Colours of states. */
  public enum Colour {
    GREEN(32),
    YELLOW(33),
    RED(31);

    private final int code;

    Colour(int code) {
      this.code = code;
    }
  }

  /** Standard output that is no terminal. */
  public static final Terminal NONE = new Terminal(Integer.MAX_VALUE, false);

  static final int LEAST_WIDTH = 40;

  private static final String HANGING = "      ";

  /** Whether a user sits at a terminal of this process. */
  public static boolean isInteractive() {
    return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
  }

  /** The terminal of this process. */
  public static Terminal detect() {
    return of(
        System.getenv(), isInteractive(), () -> new UsageMessageSpec().autoWidth(true).width());
  }

  /**
   * The terminal with this environment: {@code COLUMNS} is its width, and {@code NO_COLOR} (not
   * empty) or {@code TERM=dumb} forbids colours.
   *
   * @param detected the width that the operating system tells
   */
  static Terminal of(Map<String, String> environment, boolean terminal, IntSupplier detected) {
    if (!terminal) {
      return NONE;
    }
    String columns = environment.getOrDefault("COLUMNS", "");
    int width = columns.matches("[0-9]{1,4}") ? Integer.parseInt(columns) : detected.getAsInt();
    boolean plain =
        !environment.getOrDefault("NO_COLOR", "").isEmpty()
            || environment.getOrDefault("TERM", "").equals("dumb");
    return new Terminal(Math.max(LEAST_WIDTH, width), !plain);
  }

  /** The text in a colour, if colours can be shown. */
  public String in(Colour colour, String text) {
    return colours ? "\u001b[" + colour.code + "m" + text + "\u001b[0m" : text;
  }

  /** Breaks a line between words, so that no part is wider than the terminal if words permit. */
  public List<String> wrap(String line) {
    List<String> lines = new ArrayList<>();
    String rest = line;
    while (rest.length() > width) {
      int at = rest.lastIndexOf(' ', width);
      // Not within the indentation.
      if (rest.substring(0, Math.max(0, at)).isBlank()) {
        at = rest.indexOf(' ', width);
      }
      if (at < 0) {
        break;
      }
      lines.add(rest.substring(0, at));
      rest = HANGING + rest.substring(at).stripLeading();
    }
    lines.add(rest);
    return lines;
  }
}
