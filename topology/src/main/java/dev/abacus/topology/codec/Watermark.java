package dev.abacus.topology.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.RecordText;
import java.util.Objects;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * The event time of one channel: no document with an earlier timestamp follows on it. A watermark
 * is a record without a value; its fields are headers.
 *
 * <p>Stages finish documents in any order, so the largest timestamp that arrived says nothing about
 * documents in flight. A stage forwards a watermark behind all documents that arrived before it.
 *
 * @param channel partition of the task that sends it
 * @param time milliseconds since 1970
 * @param idle whether the channel has no documents for now, so that others need not wait for it
 */
public record Watermark(int channel, long time, boolean idle) {

  private static final String CHANNEL = "abacus-watermark-channel";
  private static final String IDLE = "abacus-watermark-idle";

  /** Whether a record is a watermark, of a stage or of a user. */
  public static boolean is(byte @Nullable [] value, Iterable<Header> headers) {
    return value == null && RecordText.header(headers, Headers.WATERMARK) != null;
  }

  /** The time of a watermark, of a stage or of a user; null if it is not a number. */
  public static @Nullable Long time(Iterable<Header> headers) {
    return number(RecordText.header(headers, Headers.WATERMARK));
  }

  /** The watermark in the headers of a record; null if no stage wrote them. */
  public static @Nullable Watermark of(Iterable<Header> headers) {
    Long time = time(headers);
    Long channel = number(RecordText.header(headers, CHANNEL));
    return time == null || channel == null
        ? null
        : new Watermark(channel.intValue(), time, RecordText.header(headers, IDLE) != null);
  }

  /**
   * The watermark in the headers of a record that a stage wrote.
   *
   * @throws NullPointerException if no stage wrote them
   */
  public static Watermark read(Iterable<Header> headers) {
    return Objects.requireNonNull(of(headers), "the record has no watermark of a stage");
  }

  /**
   * The watermark as a record. Its time may be in the future, and a broker refuses a record from
   * the future; so the timestamp of the record is at most the current time.
   *
   * @param now current time in milliseconds since 1970
   */
  @SuppressWarnings("NullAway") // it has neither key nor value; Kafka's Record is not annotated
  public Record<byte[], byte[]> toRecord(long now) {
    Record<byte[], byte[]> record = new Record<>(null, null, Math.max(0, Math.min(time, now)));
    record.headers().add(Headers.WATERMARK, Long.toString(time).getBytes(UTF_8));
    record.headers().add(CHANNEL, Integer.toString(channel).getBytes(UTF_8));
    if (idle) {
      record.headers().add(IDLE, "true".getBytes(UTF_8));
    }
    return record;
  }

  private static @Nullable Long number(@Nullable String text) {
    try {
      return text == null ? null : Long.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
