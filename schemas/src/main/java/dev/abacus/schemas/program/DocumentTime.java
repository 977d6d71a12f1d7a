package dev.abacus.schemas.program;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * The event time that a document states in a field: a date and time with an offset in ISO 8601 such
 * as {@code 2026-11-24T06:30:00Z}, or a number of milliseconds since 1970, or of seconds if it is
 * less than 100,000,000,000.
 *
 * <p>A time before 1970 or more than a day after the record was produced is refused: one such
 * document would close the windows of all that follow.
 *
 * @param field the field
 * @param required whether a document without a valid time becomes a dead letter; if not, it has the
 *     timestamp of its record
 */
public record DocumentTime(String field, boolean required) {

  /** In milliseconds, numbers below are before 1973-03-03; in seconds, it is the year 5138. */
  private static final long FIRST_MILLIS = 100_000_000_000L;

  private static final Duration AHEAD = Duration.ofDays(1);

  /**
   * The event time in milliseconds since 1970.
   *
   * @param recorded the timestamp of the record in milliseconds since 1970
   * @throws InvalidDocumentException if the time is required, and is missing or not valid
   */
  public long of(Document document, long recorded) throws InvalidDocumentException {
    try {
      return stated(document.get(field), recorded);
    } catch (InvalidDocumentException e) {
      if (required) {
        throw e;
      }
      return recorded;
    }
  }

  private long stated(JsonNode value, long recorded) throws InvalidDocumentException {
    long time = millis(value);
    if (time < 0) {
      throw problem("is before 1970", value);
    }
    if (time > recorded + AHEAD.toMillis()) {
      throw problem(
          "is more than a day after the record, which is of " + Instant.ofEpochMilli(recorded),
          value);
    }
    return time;
  }

  private long millis(JsonNode value) throws InvalidDocumentException {
    if (value.isMissingNode() || value.isNull()) {
      throw new InvalidDocumentException("it has no '%s', its event time".formatted(field));
    }
    if (value.isIntegralNumber() && value.canConvertToLong()) {
      long number = value.longValue();
      // All times before 1970 are refused alike; the first ones would overflow.
      return number >= FIRST_MILLIS ? number : Math.max(-1, number) * 1000;
    }
    try {
      return OffsetDateTime.parse(value.asText()).toInstant().toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      throw problem("is neither a date and time with an offset nor milliseconds", value);
    }
  }

  private InvalidDocumentException problem(String what, JsonNode value) {
    String text = value.asText();
    return new InvalidDocumentException(
        "its event time %s: '%s' is '%s'"
            .formatted(what, field, text.substring(0, Math.min(text.length(), 100))));
  }
}
