package dev.abacus.topology.runtime;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * A record that the processor received. Arrays are shared and must not be modified.
 *
 * @param key null if the record has none; records without a key are not ordered
 * @param value null for a tombstone
 * @param timestamp milliseconds since 1970
 * @param headers in the order of the record; a key may occur more than once
 * @param topic source topic; empty if an upstream punctuator created the record
 * @param partition source partition, or -1
 * @param offset source offset, or -1; several input records may share one
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
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

  /**
   * A record that a processor received.
   *
   * @param metadata null if it has none
   */
  public static InputRecord of(Record<byte[], byte[]> record, @Nullable RecordMetadata metadata) {
    List<Header> headers = new ArrayList<>();
    record.headers().forEach(header -> headers.add(ImmutableHeader.copyOf(header)));
    // Records of an upstream punctuator have no metadata, or metadata without a topic.
    RecordMetadata source = metadata == null || metadata.topic() == null ? null : metadata;
    return new InputRecord(
        record.key(),
        record.value(),
        record.timestamp(),
        headers,
        source == null ? "" : source.topic(),
        source == null ? -1 : source.partition(),
        source == null ? -1 : source.offset());
  }

  /** Bytes of key, value and headers. */
  public int size() {
    return RecordSizes.of(key, value, headers);
  }
}
