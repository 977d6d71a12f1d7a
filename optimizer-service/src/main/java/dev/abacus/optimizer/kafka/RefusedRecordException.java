package dev.abacus.optimizer.kafka;

import java.util.Locale;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/** Kafka refuses a record for a reason of its own: it is too large, or a right is missing. */
final class RefusedRecordException extends KafkaException {

  private static final long serialVersionUID = 1L;

  private final @Nullable String program;

  /**
   * Creates an exception that names the topic.
   *
   * @param program for which the record was written; null if for none
   */
  RefusedRecordException(
      @Nullable String program, ProducerRecord<byte[], byte[]> record, Throwable cause) {
    super(
        String.format(
            Locale.ROOT,
            "Kafka refuses a record of %,d bytes for topic '%s': %s%s",
            record.value() == null ? 0 : record.value().length,
            record.topic(),
            cause.getMessage(),
            cause instanceof RecordTooLargeException
                ? " Raise its max.message.bytes, or max.request.size of the optimizer"
                : ""),
        cause);
    this.program = program;
  }

  @Nullable String program() {
    return program;
  }
}
