package dev.abacus.deploy.cluster;

import dev.abacus.schemas.kafka.Headers;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Decodes key and headers of a record as UTF-8 text. */
public final class RecordText {

  private RecordText() {}

  /** The key; empty if it is null. */
  public static String key(ConsumerRecord<byte[], byte[]> record) {
    return text(record.key());
  }

  /** The value of the last header with this name; empty if there is none. */
  public static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : text(header.value());
  }

  /**
   * The source record of a result or dead letter, as {@code topic-partition@offset}: our header,
   * else the headers of Kafka Streams.
   */
  public static String origin(ConsumerRecord<byte[], byte[]> record) {
    String source = header(record, Headers.SOURCE);
    return source.isEmpty()
        ? "%s-%s@%s"
            .formatted(
                header(record, Headers.EXCEPTION_TOPIC),
                header(record, Headers.EXCEPTION_PARTITION),
                header(record, Headers.EXCEPTION_OFFSET))
        : source;
  }

  private static String text(byte @Nullable [] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
  }
}
