package dev.abacus.topology.runtime;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.TimestampExtractor;

/**
 * Extracts the timestamps of source records. Some producers write records without a timestamp (-1).
 * Such a record gets the largest timestamp of its partition so far, or the current time if there is
 * none. The extractor that Kafka Streams uses by default ends the stream thread instead, and again
 * after each restart.
 */
public final class SourceTimestamps implements TimestampExtractor {

  @Override
  public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
    if (record.timestamp() >= 0) {
      return record.timestamp();
    }
    return partitionTime >= 0 ? partitionTime : System.currentTimeMillis();
  }
}
