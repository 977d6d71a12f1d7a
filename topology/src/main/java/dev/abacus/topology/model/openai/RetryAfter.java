package dev.abacus.topology.model.openai;

import java.math.BigDecimal;
import java.net.http.HttpHeaders;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Reads how long a server wants to be left alone (RFC 9110, section 10.2.3). */
final class RetryAfter {

  private RetryAfter() {}

  /** The wait that the headers ask for; null if they ask for none that can be understood. */
  static @Nullable Duration of(HttpHeaders headers, Clock clock) {
    String millis = headers.firstValue("retry-after-ms").orElse("");
    Duration exact = number(millis, 1);
    return exact != null ? exact : parse(headers.firstValue("retry-after").orElse(""), clock);
  }

  private static @Nullable Duration parse(String value, Clock clock) {
    Duration seconds = number(value, 1000);
    if (seconds != null) {
      return seconds;
    }
    try {
      Instant until =
          ZonedDateTime.parse(value.strip(), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      Duration wait = Duration.between(clock.instant(), until);
      return wait.isNegative() ? Duration.ZERO : wait;
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static @Nullable Duration number(String value, int millisPerUnit) {
    // Some endpoints send fractions of seconds, although the standard knows whole ones only.
    if (!value.strip().matches("\\d{1,9}(\\.\\d{1,9})?")) {
      return null;
    }
    return Duration.ofMillis(
        new BigDecimal(value.strip()).multiply(BigDecimal.valueOf(millisPerUnit)).longValue());
  }
}
