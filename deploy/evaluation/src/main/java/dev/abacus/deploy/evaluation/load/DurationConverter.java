package dev.abacus.deploy.evaluation.load;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses durations of the command line, such as {@code 200ms} and {@code 1.5s}. */
public final class DurationConverter implements ITypeConverter<Duration> {

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
      throw new TypeConversionException(
          "'" + text + "' is not a duration; write for example 200ms or 10s");
    }
  }
}
