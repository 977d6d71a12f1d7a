package dev.abacus.topology.stateful.time;

import dev.abacus.topology.codec.DeadLetter;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.runtime.OutputRecord;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * What the processors of a stateful operator are told.
 *
 * @param program name of the program
 * @param operator id of the stateful operator
 * @param store name of its store
 * @param partitions for each of its inputs, how many channels it has
 * @param children nodes that its documents go to
 * @param deadLetters the sink of its dead letters
 * @param recordLimit bytes of a record above which the next stage would refuse it
 */
public record StatefulContext(
    String program,
    String operator,
    String store,
    List<Integer> partitions,
    List<String> children,
    String deadLetters,
    int recordLimit,
    ProgramCounters counters,
    InstantSource clock) {

  public StatefulContext {
    partitions = List.copyOf(partitions);
    children = List.copyOf(children);
  }

  /** Counts what is left out. */
  public void leftOut(Envelope envelope) {
    leftOut(envelope, counters);
  }

  /** As {@link #leftOut(Envelope)}, for who has the counters alone. */
  public static void leftOut(Envelope envelope, ProgramCounters counters) {
    if (envelope.provenance().isGroup()) {
      counters.filteredGroup(0);
    } else {
      counters.filtered(0);
    }
  }

  /** Sends a document on. */
  public void forward(
      ProcessorContext<byte[], byte[]> context,
      Envelope envelope,
      byte[] value,
      long timestamp,
      Headers headers) {
    for (String child : children) {
      context.forward(
          new Record<>(envelope.key(), value, timestamp, new RecordHeaders(headers)), child);
    }
  }

  /** Writes a dead letter of the record that a document came in as. */
  public void dead(
      ProcessorContext<byte[], byte[]> context,
      Envelope envelope,
      long timestamp,
      Headers headers,
      String kind,
      String message) {
    counters.deadLetter(0);
    List<Header> list = new ArrayList<>();
    headers.forEach(list::add);
    DeadLetter letter =
        DeadLetter.of(envelope.origin(list, timestamp), kind, message)
            .with(dev.abacus.schemas.kafka.Headers.OPERATOR, operator)
            .with(dev.abacus.schemas.kafka.Headers.PROGRAM, program);
    OutputRecord output = letter.to(deadLetters);
    RecordHeaders with = new RecordHeaders();
    output.headers().forEach(with::add);
    context.forward(
        new Record<>(output.key(), output.value(), output.timestamp(), with), deadLetters);
  }
}
