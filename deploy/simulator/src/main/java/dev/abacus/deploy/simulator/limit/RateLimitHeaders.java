package dev.abacus.deploy.simulator.limit;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the state of limits as response headers. */
public final class RateLimitHeaders {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private RateLimitHeaders() {}

  /**
   * The headers of a response.
   *
   * @param wholeSeconds whether times of reset are whole seconds, as Azure writes them, instead of
   *     durations such as {@code 6m0s}, as OpenAI does
   */
  public static Map<String, String> of(
      RateLimit limit, RateLimiter.Decision decision, boolean wholeSeconds, Clock clock) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (limit.headers()) {
      put(headers, "requests", decision.requests(), wholeSeconds);
      put(headers, "tokens", decision.tokens(), wholeSeconds);
    }
    Duration wait = decision.delay();
    if (wait != null) {
      switch (limit.retryAfter()) {
        case NONE -> {}
        case SECONDS -> headers.put("Retry-After", seconds(wait));
        case DATE ->
            // A date has whole seconds: the next one after the wait.
            headers.put(
                "Retry-After",
                DateTimeFormatter.RFC_1123_DATE_TIME.format(
                    clock.instant().plus(wait).plusMillis(999).atOffset(ZoneOffset.UTC)));
        case MILLIS -> {
          headers.put("retry-after-ms", String.valueOf(millis(wait)));
          headers.put("Retry-After", seconds(wait));
        }
      }
    }
    return headers;
  }

  private static void put(
      Map<String, String> headers,
      String kind,
      RateLimiter.@Nullable State state,
      boolean wholeSeconds) {
    if (state != null) {
      headers.put("x-ratelimit-limit-" + kind, String.valueOf(state.limit()));
      headers.put("x-ratelimit-remaining-" + kind, String.valueOf(state.remaining()));
      headers.put(
          "x-ratelimit-reset-" + kind,
          wholeSeconds ? seconds(state.untilFull()) : text(state.untilFull()));
    }
  }

  private static long millis(Duration wait) {
    return Math.ceilDiv(wait.toNanos(), NANOS_PER_MILLI);
  }

  private static String seconds(Duration wait) {
    return String.valueOf(Math.ceilDiv(millis(wait), 1000));
  }

  /** A duration as OpenAI writes it: {@code 12ms}, {@code 1.5s}, {@code 6m0s}, {@code 1h0m0s}. */
  public static String text(Duration duration) {
    long millis = millis(duration);
    if (millis < 1000) {
      return millis == 0 ? "0s" : millis + "ms";
    }
    long minutes = millis / 60_000;
    String seconds =
        BigDecimal.valueOf(millis % 60_000)
            .divide(BigDecimal.valueOf(1000), 3, RoundingMode.UNNECESSARY)
            .stripTrailingZeros()
            .toPlainString();
    String hours = minutes >= 60 ? minutes / 60 + "h" : "";
    return hours + (minutes > 0 ? minutes % 60 + "m" : "") + seconds + "s";
  }
}
