package dev.abacus.topology.runtime;

import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adjusts the timestamps of records to what their topic accepts. Drops and logs a record that the
 * broker refused before; that is a dead letter, because other documents become dead letters first.
 *
 * <p>A dead letter has the current time: its retention begins when it is written, however old the
 * event time of its document is.
 */
public final class SinkProcessor extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  private static final Logger LOG = LoggerFactory.getLogger(SinkProcessor.class);

  private final String topic;
  private final boolean deadLetters;
  private final RefusedRecords refused;
  private final Commits commits;

  /**
   * A processor in front of a sink.
   *
   * @param deadLetters whether records get the current time
   */
  public SinkProcessor(String topic, RuntimeServices services, boolean deadLetters) {
    this.topic = topic;
    this.deadLetters = deadLetters;
    this.refused = services.refused();
    this.commits = services.commits();
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    RefusedRecords.Refusal refusal = refused.find(topic, record.key(), record.value());
    if (refusal == null) {
      long now = context().currentSystemTimeMs();
      long time = deadLetters ? now : record.timestamp();
      context().forward(record.withTimestamp(refused.timestamp(topic, time, now)));
    } else {
      LOG.error("A record is lost: {}; its headers: {}", refusal.reason(), record.headers());
      commits.after(refusal::forget);
    }
  }
}
