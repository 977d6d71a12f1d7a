package dev.abacus.deploy.cli.option;

import java.time.Duration;

/** Lengths of time in options. */
public final class PastTime {

  private PastTime() {}

  /**
   * Parses a length of time such as {@code 90m}, {@code 12h} or {@code 7d}.
   *
   * @throws CommandFailure if it is none
   */
  public static Duration parse(String option, String text) {
    if (!text.matches("[1-9][0-9]{0,6}[smhd]")) {
      throw CommandFailure.invalid(
          "%s is '%s'".formatted(option, text), "Give a length of time such as 90m, 12h or 7d.");
    }
    return Duration.parse((text.endsWith("d") ? "P" : "PT") + text);
  }
}
