package dev.abacus.schemas.kafka;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Decodes key, value and headers of a record as UTF-8 text. */
public final class RecordText {

  private RecordText() {}

  /** The key; empty if it is null. */
  public static String key(ConsumerRecord<byte[], byte[]> record) {
    return text(record.key());
  }

  /** The value; empty if it is null. */
  public static String value(ConsumerRecord<byte[], byte[]> record) {
    return text(record.value());
  }

  /** The value of the last header with this name; empty if there is none. */
  public static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : text(header.value());
  }

  /** The value of the last header with this name that has one; null if there is none. */
  public static @Nullable String header(Iterable<Header> headers, String name) {
    String text = null;
    for (Header header : headers) {
      if (header.key().equals(name) && header.value() != null) {
        text = text(header.value());
      }
    }
    return text;
  }

  /**
   * The source record of a dead letter, as {@code topic-partition@offset}; empty if it does not
   * say. The header {@link Headers#SOURCE} of a letter may be that of a result of another program
   * that this program reads.
   */
  public static String origin(ConsumerRecord<byte[], byte[]> letter) {
    String topic = header(letter, Headers.EXCEPTION_TOPIC);
    return topic.isEmpty()
        ? header(letter, Headers.SOURCE)
        : "%s-%s@%s"
            .formatted(
                topic,
                header(letter, Headers.EXCEPTION_PARTITION),
                header(letter, Headers.EXCEPTION_OFFSET));
  }

  /** The epoch of the plan that made a result, or null. */
  public static @Nullable Long epoch(ConsumerRecord<byte[], byte[]> record) {
    Double epoch = number(record, Headers.PLAN_EPOCH);
    return epoch == null ? null : Long.valueOf(epoch.longValue());
  }

  /** What a result or dead letter cost, in USD; 0 if it does not say. */
  public static double costUsd(ConsumerRecord<byte[], byte[]> record) {
    Double cost = number(record, Headers.COST_USD);
    return cost == null ? 0 : cost;
  }

  /** The number in a header; null if it has none, as in a record of another producer. */
  public static @Nullable Double number(ConsumerRecord<byte[], byte[]> record, String name) {
    try {
      Double number = Double.valueOf(header(record, name));
      return number.isNaN() || number.isInfinite() ? null : number;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
  }
}
