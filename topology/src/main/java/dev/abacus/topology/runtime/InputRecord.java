package dev.abacus.topology.runtime;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * A record as it reached the processor. Arrays are shared, not copied: nobody may write to them.
 *
 * @param key null if the record has none; then no order holds between it and others
 * @param value null for a tombstone
 * @param timestamp of the record, in milliseconds since 1970
 * @param headers in the record's order; a key may occur more than once
 * @param topic where it was read; empty if a processor upstream made it up
 * @param partition of that topic, or -1
 * @param offset in that partition, or -1; several arrivals may share it
 */
@SuppressWarnings("ArrayRecordComponent") // identity is meant: two arrivals are never compared
public record InputRecord(
    byte @Nullable [] key,
    byte @Nullable [] value,
    long timestamp,
    List<Header> headers,
    String topic,
    int partition,
    long offset) {

  // Not a compact constructor: its parameters would lose @Nullable in the class file.
  public InputRecord(
      byte @Nullable [] key,
      byte @Nullable [] value,
      long timestamp,
      List<Header> headers,
      String topic,
      int partition,
      long offset) {
    this.key = key;
    this.value = value;
    this.timestamp = timestamp;
    this.headers = List.copyOf(headers);
    this.topic = topic;
    this.partition = partition;
    this.offset = offset;
  }

  static InputRecord of(Record<byte[], byte[]> read, @Nullable RecordMetadata source) {
    String topic = source == null ? null : source.topic();
    return new InputRecord(
        read.key(),
        read.value(),
        read.timestamp(),
        decoded(read.headers()),
        topic == null ? "" : topic,
        topic == null || source == null ? -1 : source.partition(),
        topic == null || source == null ? -1 : source.offset());
  }

  /** Kafka's headers decode themselves on first use, which is not safe across threads. */
  private static List<Header> decoded(Iterable<Header> headers) {
    List<Header> decoded = new ArrayList<>();
    for (Header header : headers) {
      decoded.add(new RecordHeader(header.key(), header.value()));
    }
    return decoded;
  }

  /** Bytes of key, value and headers. */
  public int size() {
    return size(key, value, headers);
  }

  static int size(byte @Nullable [] key, byte @Nullable [] value, List<Header> headers) {
    int size = (key == null ? 0 : key.length) + (value == null ? 0 : value.length);
    for (Header header : headers) {
      size += header.key().getBytes(StandardCharsets.UTF_8).length;
      size += header.value() == null ? 0 : header.value().length;
    }
    return size;
  }
}
