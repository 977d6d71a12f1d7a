package dev.abacus.topology.codec;

import dev.abacus.schemas.document.Sha256;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.topology.runtime.ImmutableHeader;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.OutputRecord;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Builds dead letters: the record that failed, with the cause in headers. The header names are
 * those of Kafka Streams (KIP-1034), so that tools for its dead letters work here too. A letter
 * that is too large for its topic is shortened; its headers then state the size and the hash of the
 * value, and the position of the whole record.
 */
public final class DeadLetter {

  /** Characters of a header that are kept, since headers count towards the record's size. */
  private static final int MAX_HEADER_LENGTH = 4096;

  /** Bytes of the key, of the value and of the original headers that a shortened letter keeps. */
  private static final int SHORTENED = 16 * 1024;

  private final InputRecord input;
  private final List<Header> added = new ArrayList<>();

  private DeadLetter(InputRecord input, String cause, String message) {
    this.input = input;
    with(Headers.EXCEPTION, cause);
    with(Headers.EXCEPTION_MESSAGE, message);
    with(Headers.EXCEPTION_TOPIC, input.topic());
    with(Headers.EXCEPTION_PARTITION, String.valueOf(input.partition()));
    with(Headers.EXCEPTION_OFFSET, String.valueOf(input.offset()));
  }

  /**
   * A dead letter with a named cause.
   *
   * @param cause name of the cause, such as {@code InvalidDocument}
   * @param message what happened, for a person
   */
  public static DeadLetter of(InputRecord input, String cause, String message) {
    return new DeadLetter(input, cause, message);
  }

  /** A dead letter for an unexpected exception. */
  public static DeadLetter of(InputRecord input, Throwable cause) {
    StringWriter trace = new StringWriter();
    cause.printStackTrace(new PrintWriter(trace));
    String text = trace.toString();
    return new DeadLetter(input, cause.getClass().getName(), String.valueOf(cause.getMessage()))
        .with(Headers.EXCEPTION_STACKTRACE, text);
  }

  /** Adds a header, unless the value is null. Keeps the first 4,096 characters of the value. */
  public DeadLetter with(String name, @Nullable String value) {
    if (value != null) {
      String kept = value.substring(0, Math.min(value.length(), MAX_HEADER_LENGTH));
      added.add(ImmutableHeader.of(name, kept));
    }
    return this;
  }

  /** The record to forward to a sink. */
  public OutputRecord to(String sink) {
    return new OutputRecord(
        sink, input.key(), input.value(), headers(), Math.max(0, input.timestamp()));
  }

  /**
   * The record to forward to a sink, shortened if it is larger than a limit.
   *
   * @param limit bytes; 0 shortens always
   */
  public OutputRecord to(String sink, int limit) {
    OutputRecord whole = to(sink);
    byte[] value = input.value();
    if (whole.size() <= limit) {
      return whole;
    }
    if (value != null) {
      with(Headers.ORIGINAL_SIZE, String.valueOf(value.length));
      with(Headers.ORIGINAL_SHA256, Sha256.hex(Sha256.BYTES, value));
    }
    boolean keepsHeaders =
        new OutputRecord(sink, null, null, input.headers(), 0).size() <= SHORTENED;
    return new OutputRecord(
        sink,
        shortened(input.key()),
        shortened(value),
        keepsHeaders ? headers() : added,
        whole.timestamp());
  }

  private List<Header> headers() {
    return ImmutableHeader.replacing(input.headers(), added);
  }

  private static byte @Nullable [] shortened(byte @Nullable [] bytes) {
    return bytes == null || bytes.length <= SHORTENED ? bytes : Arrays.copyOf(bytes, SHORTENED);
  }
}
