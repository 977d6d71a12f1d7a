package dev.abacus.topology.runtime;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of {@link PendingRecordSerde}. Every method throws {@link
 * UnreadableEntryException} when the bytes end too early, whatever they are.
 */
final class FieldReader {
  private final ByteBuffer buffer;

  FieldReader(byte[] bytes) {
    buffer = ByteBuffer.wrap(bytes);
  }

  private ByteBuffer need(int bytes) {
    if (bytes < 0 || buffer.remaining() < bytes) {
      throw new UnreadableEntryException(
          "pending entry is damaged: %d bytes expected at %d of %d"
              .formatted(bytes, buffer.position(), buffer.limit()));
    }
    return buffer;
  }

  byte next() {
    return need(1).get();
  }

  long number() {
    return need(8).getLong();
  }

  int count() {
    return need(4).getInt();
  }

  Instant instant() {
    return Instant.ofEpochMilli(number());
  }

  String text() {
    byte[] bytes = string();
    if (bytes == null) {
      throw new UnreadableEntryException("pending entry is damaged: text is missing");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  byte @Nullable [] string() {
    int length = count();
    if (length == -1) {
      return null;
    }
    need(length);
    byte[] bytes = new byte[length];
    buffer.get(bytes);
    return bytes;
  }

  List<Header> headers() {
    int count = count();
    List<Header> headers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      headers.add(new RecordHeader(text(), string()));
    }
    return headers;
  }

  void end() {
    if (buffer.hasRemaining()) {
      throw new UnreadableEntryException(
          "pending entry is damaged: %d bytes too many".formatted(buffer.remaining()));
    }
  }
}
