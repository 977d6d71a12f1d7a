package dev.abacus.topology.live;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.program.DocumentTime;
import dev.abacus.topology.codec.DeadLetter;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.runtime.Commits;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.RecordSizes;
import dev.abacus.topology.telemetry.ProgramCounters;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Gives the records of a source the event time that their documents state. Tombstones and
 * watermarks keep their timestamps. A document without a valid time becomes a dead letter here if
 * its time is required, since behind here it would move the time of the others.
 */
final class EventTimes extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  private final DocumentTime time;
  private final RecordSizes sizes;
  private final ProgramCounters counters;
  private final Commits commits;
  private final Outlets outlets;

  /** The nodes that the records are forwarded to. */
  record Outlets(String documents, String deadLetters) {}

  EventTimes(
      DocumentTime time,
      RecordSizes sizes,
      ProgramCounters counters,
      Commits commits,
      Outlets outlets) {
    this.time = time;
    this.sizes = sizes;
    this.counters = counters;
    this.commits = commits;
    this.outlets = outlets;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    try {
      context().forward(record.withTimestamp(timeOf(record)), outlets.documents());
    } catch (InvalidDocumentException e) {
      commits.after(() -> counters.deadLetter(0));
      InputRecord input = InputRecord.of(record, context().recordMetadata().orElse(null));
      context()
          .forward(
              DeadLetter.of(input, "InvalidDocument", String.valueOf(e.getMessage()))
                  .to(outlets.deadLetters(), sizes.largestOutput())
                  .toRecord(),
              outlets.deadLetters());
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
