package dev.abacus.topology.live;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.program.DocumentTime;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.runtime.InputRecord;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Gives the records of a source the event time that their documents state. Tombstones and
 * watermarks keep their timestamps. A document without a valid time becomes a dead letter here if
 * its time is required, since behind here it would move the time of the others.
 */
final class EventTimes extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  private final DocumentTime time;
  private final SourceLetters letters;

  EventTimes(DocumentTime time, SourceLetters letters) {
    this.time = time;
    this.letters = letters;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    try {
      context().forward(record.withTimestamp(timeOf(record)), letters.node());
    } catch (InvalidDocumentException e) {
      InputRecord input = InputRecord.of(record, context().recordMetadata().orElse(null));
      letters.write(context(), input, "InvalidDocument", String.valueOf(e.getMessage()));
    }
  }

  private long timeOf(Record<byte[], byte[]> record) throws InvalidDocumentException {
    byte[] value = record.value();
    if (value == null || Watermark.is(value, record.headers())) {
      return record.timestamp();
    }
    Document document;
    try {
      document = Document.parse(value);
    } catch (InvalidDocumentException e) {
      if (time.required()) {
        throw e;
      }
      return record.timestamp(); // the segment writes its dead letter
    }
    return time.of(document, record.timestamp());
  }
}
