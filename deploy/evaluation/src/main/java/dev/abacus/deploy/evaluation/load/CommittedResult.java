package dev.abacus.deploy.evaluation.load;

import dev.abacus.schemas.kafka.Headers;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * A committed result or dead letter.
 *
 * @param nanos {@link System#nanoTime} of its arrival
 */
public record CommittedResult(long nanos, ConsumerRecord<byte[], byte[]> record) {

  /** Returns the number of its document. */
  public long number() {
    return BenchmarkProgram.number(record.value());
  }

  /** Returns its value as text. */
  public String value() {
    return new String(record.value(), StandardCharsets.UTF_8);
  }

  /** Returns the epoch of the plan that produced the result. */
  public long epoch() {
    return Long.parseLong(header(Headers.PLAN_EPOCH));
  }

  /** Returns the source partition of the document. */
  public int sourcePartition() {
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
