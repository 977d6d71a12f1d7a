package dev.abacus.topology.model.openai;

import dev.langchain4j.exception.HttpException;
import java.math.BigDecimal;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * A response with a status outside 2xx. The message is its body. Carries the {@code Retry-After}
 * header (RFC 9110, section 10.2.3), which langchain4j's own exception drops.
 */
final class ServerRefusal extends HttpException {

  private static final long serialVersionUID = 1L;

  private final transient @Nullable Duration retryAfter;

  private ServerRefusal(int status, String body, @Nullable Duration retryAfter) {
    super(status, body);
    this.retryAfter = retryAfter;
  }

  /** The exception for a response. */
  static ServerRefusal of(HttpResponse<byte[]> response, Clock clock) {
    return new ServerRefusal(
        response.statusCode(),
        new String(response.body(), StandardCharsets.UTF_8),
        retryAfter(response.headers(), clock));
  }

  /** The pause that the server requests; null if it requests none that can be parsed. */
  @Nullable Duration retryAfter() {
    return retryAfter;
  }

  private static @Nullable Duration retryAfter(HttpHeaders headers, Clock clock) {
    Duration exact = number(headers.firstValue("retry-after-ms").orElse(""), 1);
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

  /** Accepts fractions, which some endpoints send although the RFC allows only integers. */
  private static @Nullable Duration number(String value, int millisPerUnit) {
    if (!value.strip().matches("\\d{1,9}(\\.\\d{1,9})?")) {
      return null;
    }
    return Duration.ofMillis(
        new BigDecimal(value.strip()).multiply(BigDecimal.valueOf(millisPerUnit)).longValue());
  }
}
