package dev.abacus.topology.live;

import dev.abacus.schemas.catalogue.Usage;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.topology.codec.DeadLetter;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.execution.PlanOutcome;
import dev.abacus.topology.runtime.Completion;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.OutputRecord;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Creates and counts the dead letters of a segment. A dead letter holds the record that entered the
 * program, so that it can be replayed.
 *
 * @param limit bytes; a larger letter is shortened
 */
record SegmentDeadLetters(
    Segment segment, SegmentOutputs outputs, ProgramCounters counters, int limit) {

  /** The record of a source is not a valid document or watermark. */
  Completion invalid(InputRecord input, String kind, String message) {
    return counted(
        Completion.of(
            DeadLetter.of(input, kind, message).to(segment.outlets().deadLetters(), limit)));
  }

  /** The record is too large for the pending store; the letter is shortened if necessary. */
  Completion oversized(InputRecord input, String message) {
    return counted(completion(input, DeadLetter.of(origin(input), "OversizedDocument", message)));
  }

  /** The work threw an exception. */
  Completion unexpected(InputRecord input, Throwable cause) {
    return counted(completion(input, DeadLetter.of(origin(input), cause)));
  }

  private Completion counted(Completion deadLetter) {
    return deadLetter.whenCommitted(counters::deadLetter);
  }

  /** An operator failed. The caller counts the letter. */
  Completion failed(
      InputRecord input, Envelope envelope, PhysicalPlan plan, PlanOutcome.Failed failed) {
    Usage all = envelope.provenance().usage().plus(failed.stats().usage());
    String kind = failed.failure().getClass().getSimpleName();
    DeadLetter letter =
        DeadLetter.of(origin(input, envelope), kind, failed.failure().message())
            .with(Headers.OPERATOR, failed.operator())
            .with(Headers.ATTEMPTS, String.valueOf(failed.attempts()))
            .with(Headers.PROGRAM, plan.program())
            .with(Headers.PLAN_EPOCH, String.valueOf(plan.epoch()))
            .with(Headers.COST_USD, ResultHeaders.decimal(all.costUsd()))
            .with(Headers.TOKENS, ResultHeaders.tokens(all.tokens()));
    return completion(input, letter);
  }

  private InputRecord origin(InputRecord input) {
    byte[] value = input.value();
    return origin(input, segment.reader() == null && value != null ? Envelope.read(value) : null);
  }

  /** The record that entered the program. */
  private InputRecord origin(InputRecord input, @Nullable Envelope envelope) {
    return segment.reader() != null || envelope == null
        ? input
        : envelope.origin(input.headers(), input.timestamp());
  }

  private Completion completion(InputRecord input, DeadLetter letter) {
    List<OutputRecord> records = new ArrayList<>();
    records.add(letter.to(segment.outlets().deadLetters(), limit));
    if (segment.outlets().reportsFailures()) {
      records.addAll(outputs.tombstone(input));
    }
    return new Completion(records);
  }
}
