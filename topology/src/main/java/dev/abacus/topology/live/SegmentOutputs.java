package dev.abacus.topology.live;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Provenance;
import dev.abacus.topology.execution.PlanOutcome;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.OutputRecord;
import dev.abacus.topology.runtime.RecordSizes;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Creates the output records of a segment: results, or envelopes for the next stages. */
record SegmentOutputs(Segment segment, InstantSource clock, RecordSizes sizes) {

  /** The outputs of a processed document, in order. */
  List<OutputRecord> of(
      InputRecord input, PhysicalPlan plan, Envelope envelope, PlanOutcome.Result result)
      throws InterruptedException {
    List<Document> documents = result.documents();
    Provenance provenance =
        envelope
            .provenance()
            .with(plan.epoch(), result.stats().usage())
            .splitInto(documents.size());
    List<OutputRecord> outputs = new ArrayList<>();
    for (int i = 0; i < documents.size(); i++) {
      byte[] number = String.valueOf(i + 1).getBytes(StandardCharsets.UTF_8);
      byte[] key = result.fannedOut() ? envelope.keyOf(number) : envelope.key();
      Envelope output =
          new Envelope(
              key, documents.get(i), provenance, envelope.originKey(), envelope.original());
      outputs.addAll(toChildren(input, plan, output));
    }
    return outputs;
  }

  private List<OutputRecord> toChildren(InputRecord input, PhysicalPlan plan, Envelope envelope)
      throws InterruptedException {
    DocumentCodec writer = segment.writer();
    if (writer == null) {
      return toChildren(input, envelope.key(), passedOn(input, envelope), input.headers());
    }
    byte[] value = writer.write(envelope.document(), plan);
    List<Header> headers =
        ResultHeaders.of(input.headers(), plan, envelope.provenance(), clock.instant());
    return toChildren(input, envelope.key(), value, headers);
  }

  /**
   * The document for the next stage, without the original record if both together are too large.
   *
   * @throws RecordTooLargeException if the next stage could not take the document
   */
  private byte[] passedOn(InputRecord input, Envelope envelope) {
    byte[] whole = envelope.toBytes();
    if (problem(input, envelope, whole) == null) {
      return whole;
    }
    byte[] bare =
        new Envelope(
                envelope.key(),
                envelope.document(),
                envelope.provenance(),
                envelope.originKey(),
                null)
            .toBytes();
    String problem = problem(input, envelope, bare);
    if (problem != null) {
      throw new RecordTooLargeException(problem);
    }
    return bare;
  }

  private @Nullable String problem(InputRecord input, Envelope envelope, byte[] value) {
    return sizes.problem(
        "the document for the next operator",
        RecordSizes.of(envelope.key(), value, input.headers()));
  }

  /** The input record itself. */
  List<OutputRecord> unchanged(InputRecord input) {
    return toChildren(input, input.key(), input.value(), input.headers());
  }

  /** The input record without its value. */
  List<OutputRecord> tombstone(InputRecord input) {
    return toChildren(input, input.key(), null, input.headers());
  }

  private List<OutputRecord> toChildren(
      InputRecord input, byte @Nullable [] key, byte @Nullable [] value, List<Header> headers) {
    return segment.outlets().children().stream()
        .map(child -> new OutputRecord(child, key, value, headers, Math.max(0, input.timestamp())))
        .toList();
  }
}
