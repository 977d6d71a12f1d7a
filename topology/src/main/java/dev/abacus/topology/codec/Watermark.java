package dev.abacus.topology.codec;

import dev.abacus.schemas.kafka.Headers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * How far event time has come in one channel: no document with an earlier timestamp is to come.
 *
 * <p>Stages work on documents in any order, so the largest timestamp seen says nothing about what
 * is still under way. Watermarks do: they are made where documents enter, and every stage sends one
 * on only after all documents that came before it.
 *
 * @param channel partition of the source or stateful operator that made it
 * @param time milliseconds since 1970
 * @param idle whether nothing comes on the channel for now, so that nobody should wait for it
 */
public record Watermark(int channel, long time, boolean idle) {

  private static final String CHANNEL = "abacus-watermark-channel";
  private static final String IDLE = "abacus-watermark-idle";

  /** Whether a record is a watermark, and no document or tombstone. */
  public static boolean is(byte @Nullable [] value, Iterable<Header> headers) {
    return value == null && text(headers, Headers.WATERMARK) != null;
  }

  /** The time in a watermark that a user sent, or null if it is none. */
  public static @Nullable Long time(Iterable<Header> headers) {
    return number(text(headers, Headers.WATERMARK));
  }

  /** The watermark that {@link #headers} made; null if these are the headers of something else. */
  public static @Nullable Watermark of(Iterable<Header> headers) {
    Long time = time(headers);
    Long channel = number(text(headers, CHANNEL));
    return time == null || channel == null
        ? null
        : new Watermark(channel.intValue(), time, text(headers, IDLE) != null);
  }

  /** As headers of a record without a value. */
  public List<Header> headers() {
    List<Header> headers = new ArrayList<>();
    headers.add(header(Headers.WATERMARK, Long.toString(time)));
    headers.add(header(CHANNEL, Integer.toString(channel)));
    if (idle) {
      headers.add(header(IDLE, "true"));
    }
    return headers;
  }

  private static Header header(String name, String value) {
    return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
  }

  private static @Nullable String text(Iterable<Header> headers, String name) {
    String text = null;
    for (Header header : headers) {
      if (header.key().equals(name) && header.value() != null) {
        text = new String(header.value(), StandardCharsets.UTF_8);
      }
    }
    return text;
  }

  private static @Nullable Long number(@Nullable String text) {
    try {
      return text == null ? null : Long.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
