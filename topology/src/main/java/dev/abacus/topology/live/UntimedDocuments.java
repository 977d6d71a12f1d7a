package dev.abacus.topology.live;

import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.program.DocumentTime;
import dev.abacus.topology.codec.DeadLetter;
import dev.abacus.topology.runtime.Commits;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.RecordSizes;
import dev.abacus.topology.telemetry.ProgramCounters;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/** Forwards a dead letter for each document that lacks the event time that is required of it. */
final class UntimedDocuments extends ContextualProcessor<byte[], byte[], byte[], byte[]> {

  private final DocumentTime time;
  private final ProgramCounters counters;
  private final Commits commits;
  private final RecordSizes sizes;
  private final String sink;

  UntimedDocuments(
      DocumentTime time,
      ProgramCounters counters,
      Commits commits,
      RecordSizes sizes,
      String sink) {
    this.time = time;
    this.counters = counters;
    this.commits = commits;
    this.sizes = sizes;
    this.sink = sink;
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    try {
      long _ = EventTimes.of(record, time);
    } catch (InvalidDocumentException e) {
      InputRecord input = InputRecord.of(record, context().recordMetadata().orElse(null));
      commits.after(() -> counters.deadLetter(0));
      context()
          .forward(
              DeadLetter.of(input, "InvalidDocument", String.valueOf(e.getMessage()))
                  .to(sink, sizes.largestOutput())
                  .toRecord(),
              sink);
    }
  }
}
