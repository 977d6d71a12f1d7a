package dev.abacus.deploy.evaluation.flow;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations such as {@code 200ms} and {@code 1.5s} of the command line. */
public final class DurationConverter implements ITypeConverter<Duration> {

  /** For picocli. */
  public DurationConverter() {}

  @Override
  public Duration convert(String text) {
    String number = text.replaceAll("[a-z]+$", "");
    try {
      double amount = Double.parseDouble(number);
      return switch (text.substring(number.length())) {
        case "ms" -> Duration.ofNanos((long) (amount * 1e6));
        case "s" -> Duration.ofNanos((long) (amount * 1e9));
        default -> throw new NumberFormatException();
      };
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' is no duration, such as 200ms or 10s");
    }
  }

  /** The duration as it is written on the command line. */
  static String text(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? duration.toSeconds() + "s"
        : duration.toMillis() + "ms";
  }
}
