package dev.abacus.topology.stateful.time;

import dev.abacus.schemas.control.OperatorFlow;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.runtime.Commits;
import dev.abacus.topology.runtime.RecordSizes;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.time.InstantSource;
import java.util.function.Function;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;

/**
 * What the stateful operators of one program share.
 *
 * @param program name of the program
 * @param sizes of the records that the operators pass on
 * @param stores creates a store by name, ordered by the bytes of its keys
 */
public record StatefulServices(
    String program,
    RecordSizes sizes,
    ProgramCounters counters,
    Commits commits,
    InstantSource clock,
    Function<String, KeyValueBytesStoreSupplier> stores) {

  /** Counts a document or group that an operator drops. */
  public void countDropped(Envelope envelope) {
    boolean group = envelope.provenance().isGroup();
    commits.after(() -> counters.filtered(group));
  }

  /** Counts a source document that an operator drops. */
  public void countFiltered() {
    commits.after(() -> counters.filtered(false));
  }

  /** Counts inputs and outputs of an operator over several documents. */
  public void countFlow(String operator, long inputs, long outputs) {
    commits.after(() -> counters.flow(new OperatorFlow(operator, inputs, outputs)));
  }

  /** Counts a dead letter. */
  void countDeadLetter() {
    commits.after(counters::deadLetter);
  }
}
