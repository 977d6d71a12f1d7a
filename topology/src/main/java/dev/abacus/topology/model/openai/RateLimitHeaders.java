package dev.abacus.topology.model.openai;

import dev.abacus.topology.model.RateLimits;
import dev.abacus.topology.model.RateLimits.Budget;
import java.math.BigDecimal;
import java.net.http.HttpHeaders;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the headers that limit the rate of requests.
 *
 * <table>
 *   <caption>Headers</caption>
 *   <tr><td>{@code retry-after-ms}, {@code retry-after} (RFC 9110, section 10.2.3)</td><td>pause;
 *   milliseconds, seconds with or without fraction, an HTTP date</td></tr>
 *   <tr><td>{@code x-ratelimit-{limit,remaining,reset}-{requests,tokens}}</td><td>OpenAI, Azure,
 *   Groq, LiteLLM; Azure also spells {@code x-rate-limit-…}</td></tr>
 *   <tr><td>{@code x-ratelimit-{limit,remaining,reset}}, {@code
 *   x-tokenlimit-{limit,remaining}}</td><td>Together, OpenRouter; requests and tokens</td></tr>
 *   <tr><td>{@code anthropic-ratelimit-{requests,tokens}-{limit,remaining,reset}}</td><td>
 *   Anthropic</td></tr>
 * </table>
 *
 * <p>A reset is a duration such as {@code 6m0s} or {@code 120ms}, a number of seconds, a Unix time
 * in seconds or milliseconds, or a date. Negative numbers, which Azure sends for unlimited budgets,
 * state nothing.
 *
 * @param headers of one response
 * @param now when the response was received
 */
record RateLimitHeaders(HttpHeaders headers, Instant now) {

  /** Numbers from here are Unix times in seconds: no reset takes 30 years. */
  private static final long FIRST_UNIX_SECOND = 1_000_000_000L;

  private static final long FIRST_UNIX_MILLI = 1000 * FIRST_UNIX_SECOND;

  /** A pause that is longer counts as this long, such as one until the year 9999. */
  private static final Duration LONGEST = Duration.ofDays(1);

  private static final Pattern NUMBER = Pattern.compile("\\d{1,15}(\\.\\d{1,9})?");
  private static final Pattern PART =
      Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|us|µs|ns|d|h|m|s)");
  private static final Pattern PARTS = Pattern.compile("(?:" + PART.pattern() + ")+");

  /**
   * A budget with a later reset is not that of a minute: Groq and some accounts at OpenAI have the
   * requests of a day in the same headers. One second is for rounding.
   */
  private static final Duration LONGEST_MINUTE = Duration.ofSeconds(61);

  /** The names of the headers of a budget, in one spelling. */
  private record Names(String limit, String remaining, String reset) {

    static List<Names> of(String... patterns) {
      return Arrays.stream(patterns)
          .map(pattern ->
              new Names(
                  pattern.formatted("limit"),
                  pattern.formatted("remaining"),
                  pattern.formatted("reset")))
          .toList();
    }
  }

  private static final List<Names> REQUESTS =
      Names.of(
          "x-ratelimit-%s-requests",
          "x-rate-limit-%s-requests", "anthropic-ratelimit-requests-%s", "x-ratelimit-%s");

  private static final List<Names> TOKENS =
      Names.of(
          "x-ratelimit-%s-tokens",
          "x-rate-limit-%s-tokens", "anthropic-ratelimit-tokens-%s", "x-tokenlimit-%s");

  static RateLimitHeaders of(HttpHeaders headers, Clock clock) {
    return new RateLimitHeaders(headers, clock.instant());
  }

  /** The limits that the headers state; null if they state none. */
  @Nullable RateLimits limits() {
    if (!areStated()) {
      return null;
    }
    Budget requests = budget(REQUESTS);
    Budget tokens = budget(TOKENS);
    return requests == null && tokens == null ? null : new RateLimits(requests, tokens);
  }

  /** Whether any header may state a budget; most endpoints without limits send none. */
  private boolean areStated() {
    for (String name : headers.map().keySet()) {
      if (name.toLowerCase(Locale.ROOT).contains("limit")) {
        return true;
      }
    }
    return false;
  }

  /**
   * The pause that the server requests: that of {@code retry-after}, or else the reset of the
   * budgets with nothing remaining, or else of the only budget with a reset. Null if none.
   */
  @Nullable Duration retryAfter() {
    Duration exact = scaled(first("retry-after-ms"), 1);
    Duration stated = exact == null ? time(first("retry-after")) : exact;
    if (stated != null) {
      return stated;
    }
    RateLimits limits = limits();
    if (limits == null) {
      return null;
    }
    List<Budget> resets =
        Stream.of(limits.requests(), limits.tokens())
            .filter(Objects::nonNull)
            .filter(budget -> budget.reset() != null)
            .toList();
    List<Budget> empty =
        resets.stream()
            .filter(budget -> budget.remaining() != null && budget.remaining() == 0)
            .toList();
    List<Budget> causes = empty.isEmpty() && resets.size() == 1 ? resets : empty;
    return causes.stream()
        .map(Budget::reset)
        .filter(Objects::nonNull)
        .max(Duration::compareTo)
        .orElse(null);
  }

  private @Nullable Budget budget(List<Names> spellings) {
    for (Names names : spellings) {
      Long limit = number(first(names.limit()));
      Long remaining = number(first(names.remaining()));
      Duration reset = time(first(names.reset()));
      boolean stated = remaining != null || (reset != null && reset.isPositive());
      if (limit == null ? stated : limit > 0) {
        boolean longer = reset != null && reset.compareTo(LONGEST_MINUTE) > 0;
        return new Budget(longer ? null : limit, remaining, reset);
      }
    }
    return null;
  }

  private String first(String header) {
    return headers.firstValue(header).orElse("").strip();
  }

  private static @Nullable Long number(String value) {
    return NUMBER.matcher(value).matches() ? new BigDecimal(value).longValue() : null;
  }

  /** A duration in one of the forms of the class comment; null for another form. */
  private @Nullable Duration time(String value) {
    if (NUMBER.matcher(value).matches()) {
      BigDecimal number = new BigDecimal(value);
      if (number.longValue() >= FIRST_UNIX_MILLI) {
        return until(Instant.ofEpochMilli(number.longValue()));
      }
      return number.longValue() >= FIRST_UNIX_SECOND
          ? until(Instant.ofEpochMilli(number.movePointRight(3).longValue()))
          : scaled(value, 1000);
    }
    return PARTS.matcher(value).matches() ? sum(value) : date(value);
  }

  /** Accepts fractions, which some endpoints send although the RFC allows only integers. */
  private static @Nullable Duration scaled(String value, int millisPerUnit) {
    return NUMBER.matcher(value).matches()
        ? bounded(
            Duration.ofMillis(
                new BigDecimal(value).multiply(BigDecimal.valueOf(millisPerUnit)).longValue()))
        : null;
  }

  /** The sum of parts such as {@code 1h2m3.5s}. */
  static Duration sum(String parts) {
    Matcher part = PART.matcher(parts);
    Duration sum = Duration.ZERO;
    while (part.find()) {
      BigDecimal nanos = new BigDecimal(part.group(1)).multiply(nanos(part.group(2)));
      sum = sum.plusNanos(nanos.min(BigDecimal.valueOf(LONGEST.toNanos())).longValue());
    }
    return bounded(sum);
  }

  private static BigDecimal nanos(String unit) {
    return BigDecimal.valueOf(
        switch (unit) {
          case "ns" -> 1L;
          case "us", "µs" -> 1_000L;
          case "ms" -> 1_000_000L;
          case "s" -> 1_000_000_000L;
          case "m" -> 60_000_000_000L;
          case "h" -> 3_600_000_000_000L;
          default -> 86_400_000_000_000L;
        });
  }

  private static Duration bounded(Duration time) {
    return time.compareTo(LONGEST) < 0 ? time : LONGEST;
  }

  /** The time until an HTTP date or an ISO 8601 instant. */
  private @Nullable Duration date(String value) {
    if (value.isEmpty()) {
      return null;
    }
    try {
      return until(ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException notHttp) {
      try {
        return until(OffsetDateTime.parse(value).toInstant());
      } catch (DateTimeException notIso) {
        return null;
      }
    }
  }

  private Duration until(Instant then) {
    Duration wait = Duration.between(now, then);
    return wait.isNegative() ? Duration.ZERO : bounded(wait);
  }
}
