package dev.abacus.topology.runtime;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Writes the fields of {@link PendingRecordSerde} into a buffer that grows. */
final class FieldWriter {
  private ByteBuffer buffer;

  FieldWriter(int expectedSize) {
    buffer = ByteBuffer.allocate(expectedSize);
  }

  private ByteBuffer room(int bytes) {
    if (buffer.remaining() < bytes) {
      int needed = Math.addExact(buffer.position(), bytes);
      int capacity = (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(needed, 2L * needed));
      buffer = ByteBuffer.allocate(capacity).put(buffer.flip());
    }
    return buffer;
  }

  void bytes(byte first, byte second) {
    room(2).put(first).put(second);
  }

  void number(long value) {
    room(8).putLong(value);
  }

  void count(int value) {
    room(4).putInt(value);
  }

  void text(String value) {
    string(value.getBytes(StandardCharsets.UTF_8));
  }

  void string(byte @Nullable [] value) {
    if (value == null) {
      count(-1);
    } else {
      count(value.length);
      room(value.length).put(value);
    }
  }

  void headers(List<Header> headers) {
    count(headers.size());
    for (Header header : headers) {
      text(header.key());
      string(header.value());
    }
  }

  byte[] done() {
    return Arrays.copyOf(buffer.array(), buffer.position());
  }
}
