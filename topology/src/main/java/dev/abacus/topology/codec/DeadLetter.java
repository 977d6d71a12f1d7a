package dev.abacus.topology.codec;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.OutputRecord;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Makes dead letters: the record as it came, with headers that say why it could not be done. Their
 * names are those of Kafka Streams (KIP-1034), so that tools for those work with ours.
 */
public final class DeadLetter {

  /** Headers count against the size of a record; the first lines of a stack trace say most. */
  private static final int LONGEST_TRACE = 4096;

  private final InputRecord arrival;
  private final List<Header> headers;

  private DeadLetter(InputRecord arrival, String kind, String message) {
    this.arrival = arrival;
    this.headers = new ArrayList<>(arrival.headers());
    with(Headers.EXCEPTION, kind);
    with(Headers.EXCEPTION_MESSAGE, message);
    with(Headers.EXCEPTION_TOPIC, arrival.topic());
    with(Headers.EXCEPTION_PARTITION, String.valueOf(arrival.partition()));
    with(Headers.EXCEPTION_OFFSET, String.valueOf(arrival.offset()));
  }

  /**
   * A dead letter for a reason that has a name.
   *
   * @param kind the reason's name, such as {@code InvalidDocument}
   * @param message what happened, for the person who reads it
   */
  public static DeadLetter of(InputRecord arrival, String kind, String message) {
    return new DeadLetter(arrival, kind, message);
  }

  /** A dead letter for an exception that nobody expected. */
  public static DeadLetter of(InputRecord arrival, Throwable cause) {
    StringWriter trace = new StringWriter();
    cause.printStackTrace(new PrintWriter(trace));
    String text = trace.toString();
    return new DeadLetter(arrival, cause.getClass().getName(), String.valueOf(cause.getMessage()))
        .with(
            Headers.EXCEPTION_STACKTRACE,
            text.substring(0, Math.min(text.length(), LONGEST_TRACE)));
  }

  /** Adds a header; nothing if the value is null. */
  public DeadLetter with(String name, @Nullable String value) {
    if (value != null) {
      headers.add(new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8)));
    }
    return this;
  }

  /** The record to forward. */
  public OutputRecord to(String sink) {
    return new OutputRecord(
        sink, arrival.key(), arrival.value(), headers, Math.max(0, arrival.timestamp()));
  }
}
