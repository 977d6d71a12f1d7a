package dev.abacus.topology.live;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.program.DocumentTime;
import dev.abacus.topology.codec.Watermark;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Gives the records of a source the event time that their documents state. Tombstones and
 * watermarks keep their timestamps. A document without a valid time is left out if its time is
 * required, since it would move the time of the others; {@link UntimedDocuments} writes its dead
 * letter.
 */
final class EventTimes extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  private final DocumentTime time;

  EventTimes(DocumentTime time) {
    this.time = time;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    try {
      context().forward(record.withTimestamp(of(record, time)));
    } catch (InvalidDocumentException e) {
      // It is a dead letter.
    }
  }

  /**
   * The event time of a source record.
   *
   * @throws InvalidDocumentException if it is required, and the document does not state it
   */
  static long of(Record<byte[], byte[]> record, DocumentTime time) throws InvalidDocumentException {
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
