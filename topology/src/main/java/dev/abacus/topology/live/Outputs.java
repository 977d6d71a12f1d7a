package dev.abacus.topology.live;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Provenance;
import dev.abacus.topology.execution.PlanOutcome;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.OutputRecord;
import dev.abacus.topology.runtime.PendingRecord;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Makes the records that leave a segment: results, or envelopes for the stages behind. */
final class Outputs {

  private final Segment segment;
  private final InstantSource clock;
  private final int recordLimit;

  Outputs(Segment segment, InstantSource clock, int recordLimit) {
    this.segment = segment;
    this.clock = clock;
    this.recordLimit = recordLimit;
  }

  /** What became of a document, in order. */
  List<OutputRecord> of(
      PendingRecord job, PhysicalPlan plan, Envelope envelope, PlanOutcome.Result result)
      throws InterruptedException {
    List<Document> documents = result.documents();
    Provenance provenance =
        envelope.provenance().with(plan.epoch(), result.stats().cost()).splitInto(documents.size());
    List<OutputRecord> outputs = new ArrayList<>();
    for (int i = 0; i < documents.size(); i++) {
      byte[] key = result.fannedOut() ? numbered(envelope, i + 1) : envelope.key();
      outputs.addAll(
          of(
              job.input(),
              plan,
              new Envelope(
                  key, documents.get(i), provenance, envelope.originKey(), envelope.original())));
    }
    return outputs;
  }

  private List<OutputRecord> of(InputRecord input, PhysicalPlan plan, Envelope envelope)
      throws InterruptedException {
    DocumentCodec writer = segment.writer();
    if (writer == null) {
      return toAll(input, envelope.key(), carried(envelope).toBytes(), input.headers());
    }
    byte[] value = writer.write(envelope.document());
    List<Header> headers =
        ResultHeaders.of(input.headers(), plan, envelope.provenance(), clock.instant());
    return toAll(input, envelope.key(), value, headers);
  }

  /** The original is left behind where the next stage would find the record too large with it. */
  private Envelope carried(Envelope envelope) {
    byte[] original = envelope.original();
    if (original == null || original.length < recordLimit / 4) {
      return envelope;
    }
    return new Envelope(
        envelope.key(), envelope.document(), envelope.provenance(), envelope.originKey(), null);
  }

  /** A record that is handed on as it came. */
  List<OutputRecord> passedOn(InputRecord input) {
    return toAll(input, input.key(), input.value(), input.headers());
  }

  private List<OutputRecord> toAll(
      InputRecord input, byte @Nullable [] key, byte @Nullable [] value, List<Header> headers) {
    return segment.children().stream()
        .map(child -> new OutputRecord(child, key, value, headers, Math.max(0, input.timestamp())))
        .toList();
  }

  /** The key of the n-th output of a document; of its source record if it has no key. */
  private static byte[] numbered(Envelope envelope, int number) {
    byte[] key = envelope.key();
    byte[] name =
        key == null ? envelope.provenance().source().getBytes(StandardCharsets.UTF_8) : key;
    byte[] suffix = ("#" + number).getBytes(StandardCharsets.UTF_8);
    byte[] numbered = new byte[name.length + suffix.length];
    System.arraycopy(name, 0, numbered, 0, name.length);
    System.arraycopy(suffix, 0, numbered, name.length, suffix.length);
    return numbered;
  }
}
