package dev.abacus.topology.live;

import dev.abacus.topology.codec.DeadLetter;
import dev.abacus.topology.runtime.Commits;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.RecordSizes;
import dev.abacus.topology.telemetry.ProgramCounters;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * The dead letters of a processor in front of all operators, which passes the other records on.
 *
 * @param node that the other records are forwarded to
 * @param sink that dead letters are forwarded to
 */
record SourceLetters(
    ProgramCounters counters, Commits commits, RecordSizes sizes, String node, String sink) {

  /** Forwards a dead letter, and counts it when it is committed. */
  void write(
      ProcessorContext<byte[], byte[]> context, InputRecord input, String cause, String message) {
    commits.after(counters::deadLetter);
    context.forward(
        DeadLetter.of(input, cause, message).to(sink, sizes.largestOutput()).toRecord(), sink);
  }
}
