package dev.abacus.deploy.cli.option;

import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.TypeConversionException;

/** Values of options in a form of their own. */
public final class OptionValues {

  private static final Pattern DURATION = Pattern.compile("([0-9]{1,7}(?:\\.[0-9]+)?)(ms|s|m|h|d)");

  private OptionValues() {}

  /** Lets a command and its subcommands read them. */
  public static void register(CommandLine command) {
    command
        .registerConverter(Objective.class, OptionValues::objective)
        .registerConverter(Duration.class, OptionValues::duration)
        .registerConverter(Instant.class, OptionValues::instant);
  }

  /** One line such as {@code maximize quality subject to cost <= 0.002}. */
  private static Objective objective(String text) {
    try {
      return ObjectiveParser.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(
          e.getMessage() + "; write for instance \"maximize quality subject to cost <= 0.002\"");
    }
  }

  /** A length of time such as {@code 200ms}, {@code 1.5s}, {@code 90m} or {@code 7d}. */
  private static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new TypeConversionException(
          "'" + text + "' is not a length of time such as 200ms, 90m, 12h or 7d");
    }
    double nanos =
        switch (matcher.group(2)) {
          case "ms" -> 1e6;
          case "s" -> 1e9;
          case "m" -> 60e9;
          case "h" -> 3600e9;
          default -> 86_400e9;
        };
    return Duration.ofNanos((long) (Double.parseDouble(matcher.group(1)) * nanos));
  }

  /** Date, time and offset. */
  private static Instant instant(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException e) {
      throw new TypeConversionException(
          "'" + text + "' is not date, time and offset, such as 2026-11-22T08:00:00Z");
    }
  }
}
