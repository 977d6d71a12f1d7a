package dev.abacus.deploy.evaluation.load;

import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.kafka.RecordText;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;

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
    return Objects.requireNonNull(RecordText.epoch(record), "a result has no epoch");
  }

  /** Returns the source partition of the document. */
  public int sourcePartition() {
    RecordPosition source = RecordPosition.parse(RecordText.header(record, Headers.SOURCE));
    return Objects.requireNonNull(source, "a result names its source").partition();
  }
}
