package dev.abacus.topology.codec;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.topology.runtime.ImmutableHeader;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.OutputRecord;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Builds dead letters: the record that failed, with the cause in headers. The header names are
 * those of Kafka Streams (KIP-1034), so that tools for its dead letters work here too.
 */
public final class DeadLetter {

  /** Characters of a stack trace that are kept, since headers count towards the record's size. */
  private static final int MAX_TRACE_LENGTH = 4096;

  private final InputRecord input;
  private final List<Header> headers;

  private DeadLetter(InputRecord input, String cause, String message) {
    this.input = input;
    this.headers = new ArrayList<>(input.headers());
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
        .with(
            Headers.EXCEPTION_STACKTRACE,
            text.substring(0, Math.min(text.length(), MAX_TRACE_LENGTH)));
  }

  /** Adds a header, unless the value is null. */
  public DeadLetter with(String name, @Nullable String value) {
    if (value != null) {
      headers.add(ImmutableHeader.of(name, value));
    }
    return this;
  }

  /** The record to forward to a sink. */
  public OutputRecord to(String sink) {
    return new OutputRecord(
        sink, input.key(), input.value(), headers, Math.max(0, input.timestamp()));
  }
}
