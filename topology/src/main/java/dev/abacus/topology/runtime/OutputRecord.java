package dev.abacus.topology.runtime;

import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * A record to forward.
 *
 * @param child name of the processor or sink to forward to; must be a child of this processor
 * @param key may be null
 * @param value null for a tombstone
 * @param headers in order
 * @param timestamp milliseconds since 1970, not negative
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record OutputRecord(
    String child,
    byte @Nullable [] key,
    byte @Nullable [] value,
    List<Header> headers,
    long timestamp) {

  // Not a compact constructor: its parameters would lose @Nullable in the class file.
  public OutputRecord(
      String child,
      byte @Nullable [] key,
      byte @Nullable [] value,
      List<Header> headers,
      long timestamp) {
    if (timestamp < 0) {
      throw new IllegalArgumentException("negative timestamp " + timestamp);
    }
    this.child = child;
    this.key = key;
    this.value = value;
    this.headers = List.copyOf(headers);
    this.timestamp = timestamp;
  }

  /** Bytes of key, value and headers. */
  public int size() {
    return RecordSizes.of(key, value, headers);
  }

  /** This record as Kafka Streams forwards it. */
  public Record<byte[], byte[]> toRecord() {
    Record<byte[], byte[]> record = new Record<>(key, value, timestamp);
    headers.forEach(header -> record.headers().add(header.key(), header.value()));
    return record;
  }
}
