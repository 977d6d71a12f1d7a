package dev.abacus.deploy.evaluation.flow;

import dev.abacus.schemas.kafka.Headers;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * A committed result or dead letter.
 *
 * @param nanos {@link System#nanoTime} of its arrival
 */
record CommittedResult(long nanos, ConsumerRecord<byte[], byte[]> record) {

  String key() {
    return new String(record.key(), StandardCharsets.UTF_8);
  }

  String value() {
    return new String(record.value(), StandardCharsets.UTF_8);
  }

  /** Returns the epoch of the plan that produced the result. */
  long epoch() {
    return Long.parseLong(header(Headers.PLAN_EPOCH));
  }

  /** Returns the source partition of the document. */
  int sourcePartition() {
    String source = header(Headers.SOURCE);
    return Integer.parseInt(source.substring(source.lastIndexOf('-') + 1, source.lastIndexOf('@')));
  }

  private String header(String name) {
    Header header = record.headers().lastHeader(name);
    if (header == null) {
      throw new IllegalStateException("a result has no header " + name);
    }
    return new String(header.value(), StandardCharsets.UTF_8);
  }
}
