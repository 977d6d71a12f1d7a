package dev.abacus.topology.live;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.codec.DeadLetter;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.PairHeaders;
import dev.abacus.topology.codec.Provenance;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.execution.Checkpoint;
import dev.abacus.topology.execution.CheckpointSerializer;
import dev.abacus.topology.execution.PlanOutcome;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ReceiptingModelClient;
import dev.abacus.topology.runtime.Completion;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.OutputRecord;
import dev.abacus.topology.runtime.PendingRecord;
import dev.abacus.topology.runtime.Work;
import dev.abacus.topology.runtime.WorkContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries documents through a segment, by the plan of the epoch that they were stamped with when
 * they entered the program: never through a mix of two, also after a crash.
 *
 * <p>A document yields outputs, or nothing if a filter dropped it, or a dead letter; a tombstone
 * yields a tombstone. Watermarks are handed on when all that came before them has left.
 */
public final class DocumentWork implements Work {

  /** Stamp of what is no document, and waits for no plan. */
  private static final long NO_PLAN = 0;

  private final Segment segment;
  private final DocumentServices services;
  private final Outputs outputs;

  DocumentWork(Segment segment, DocumentServices services, int recordLimit) {
    this.segment = segment;
    this.services = services;
    this.outputs = new Outputs(segment, services.clock(), recordLimit);
  }

  /**
   * Work for a program of one segment, from its source to the sinks {@link
   * DocumentTopology#RESULTS} and {@link DocumentTopology#DEAD_LETTERS}.
   */
  public static DocumentWork whole(Program program, DocumentServices services) {
    DocumentCodec codec = new DocumentCodec(program, program.sources().getFirst(), services.avro());
    Segment segment =
        new Segment(
            codec,
            codec,
            java.util.Set.of(),
            true,
            List.of(DocumentTopology.RESULTS),
            DocumentTopology.DEAD_LETTERS,
            false);
    return new DocumentWork(segment, services, Integer.MAX_VALUE);
  }

  @Override
  public boolean isBarrier(InputRecord input) {
    return Watermark.is(input.value(), input.headers()) || isEndOfPairs(input);
  }

  /** Such marks are the program's own; in a source they would be anybody's. */
  private boolean isEndOfPairs(InputRecord input) {
    return segment.reader() == null && PairHeaders.isEnd(input.headers());
  }

  @Override
  public long epoch(InputRecord input) {
    byte[] value = input.value();
    if (isBarrier(input)) {
      return NO_PLAN;
    }
    long epoch =
        segment.reader() == null && value != null ? Envelope.epoch(value) : Provenance.UNSTAMPED;
    return epoch == Provenance.UNSTAMPED ? services.slot().epochFor(input.key()) : epoch;
  }

  @Override
  public boolean ready(long epoch) {
    return epoch == NO_PLAN || services.slot().plan(epoch) != null;
  }

  @Override
  public Completion run(PendingRecord job, WorkContext context) throws InterruptedException {
    InputRecord input = job.input();
    if (isBarrier(input)) {
      return mark(input);
    }
    if (input.value() == null) {
      return new Completion(outputs.passedOn(input));
    }
    Envelope envelope;
    try {
      envelope = envelope(job, input.value(), context.restoredCheckpoint() != null);
    } catch (InvalidDocumentException e) {
      services.counters().deadLetter(0);
      return dead(DeadLetter.of(input, "InvalidDocument", String.valueOf(e.getMessage())));
    }
    PhysicalPlan plan =
        Objects.requireNonNull(services.slot().plan(job.epoch()), "ready() said it is known");
    byte[] checkpoint = context.restoredCheckpoint();
    Checkpoint from =
        checkpoint == null
            ? Checkpoint.start(envelope.document())
            : CheckpointSerializer.read(checkpoint);
    ModelClient client =
        new ReceiptingModelClient(services.models(), ModelReceipts.of(context.receipts()));
    PlanOutcome outcome =
        services
            .executor()
            .run(
                segment.steps(plan),
                from,
                client,
                reached -> context.checkpoint(CheckpointSerializer.write(reached)),
                services.witness(plan.epoch()));
    return complete(job, plan, envelope, outcome);
  }

  /** A watermark goes on; one that a user sent to a program that needs none ends here. */
  private Completion mark(InputRecord input) {
    if (isEndOfPairs(input) || Watermark.of(input.headers()) != null) {
      return new Completion(segment.writer() == null ? outputs.passedOn(input) : List.of());
    }
    if (Watermark.time(input.headers()) != null) {
      return new Completion(List.of());
    }
    services.counters().deadLetter(0);
    return dead(
        DeadLetter.of(
            input, "InvalidWatermark", Headers.WATERMARK + " is no number of milliseconds"));
  }

  private Envelope envelope(PendingRecord job, byte[] value, boolean resumed)
      throws InvalidDocumentException, InterruptedException {
    DocumentCodec reader = segment.reader();
    if (reader == null) {
      return Envelope.read(value);
    }
    InputRecord input = job.input();
    // What the steps before a checkpoint read was valid.
    Document document = resumed ? Document.empty() : reader.read(value);
    Provenance provenance =
        new Provenance(
            job.epoch(), 0, job.admittedAt(), input.topic(), input.partition(), input.offset());
    return new Envelope(input.key(), document, provenance, input.key(), value);
  }

  private Completion complete(
      PendingRecord job, PhysicalPlan plan, Envelope envelope, PlanOutcome outcome)
      throws InterruptedException {
    double cost = outcome.stats().cost();
    if (segment.writer() != null || !(outcome instanceof PlanOutcome.Result)) {
      services
          .counters()
          .document(
              plan.epoch(),
              envelope.provenance().cost() + cost,
              outcome.stats().latency(),
              outcome instanceof PlanOutcome.Failed);
    }
    return switch (outcome) {
      case PlanOutcome.Result result -> {
        List<OutputRecord> made = outputs.of(job, plan, envelope, result);
        services.counters().spent(cost);
        if (segment.writer() != null) {
          result.documents().forEach(_ -> services.counters().result(0));
        }
        yield new Completion(made);
      }
      case PlanOutcome.Filtered _ -> {
        if (envelope.provenance().isGroup()) {
          services.counters().filteredGroup(cost);
        } else {
          services.counters().filtered(cost);
        }
        yield new Completion(List.of());
      }
      case PlanOutcome.Failed failed -> {
        services.counters().deadLetter(cost);
        String kind = failed.failure().getClass().getSimpleName();
        double whole = envelope.provenance().cost() + cost;
        DeadLetter letter =
            DeadLetter.of(origin(job.input(), envelope), kind, failed.failure().message())
                .with(Headers.OPERATOR, failed.operator())
                .with(Headers.ATTEMPTS, String.valueOf(failed.attempts()))
                .with(Headers.PROGRAM, plan.program())
                .with(Headers.PLAN_EPOCH, String.valueOf(plan.epoch()))
                .with(Headers.COST_USD, ResultHeaders.decimal(whole));
        yield failure(job.input(), letter);
      }
    };
  }

  @Override
  public Completion failed(PendingRecord job, Throwable cause) {
    services.counters().deadLetter(0);
    return failure(job.input(), DeadLetter.of(origin(job.input()), cause));
  }

  @Override
  public Completion rejected(InputRecord input, String reason) {
    services.counters().deadLetter(0);
    return failure(input, DeadLetter.of(origin(input), "OversizedDocument", reason));
  }

  private InputRecord origin(InputRecord input) {
    return origin(
        input,
        segment.reader() == null && input.value() != null ? Envelope.read(input.value()) : null);
  }

  /** The record to write a dead letter of: what entered the program. */
  private InputRecord origin(InputRecord input, @Nullable Envelope envelope) {
    return segment.reader() != null || envelope == null
        ? input
        : envelope.origin(input.headers(), input.timestamp());
  }

  private Completion failure(InputRecord input, DeadLetter letter) {
    List<OutputRecord> made = new ArrayList<>();
    made.add(letter.to(segment.deadLetters()));
    if (segment.reportsFailures()) {
      made.addAll(
          outputs.passedOn(
              new InputRecord(
                  input.key(),
                  null,
                  input.timestamp(),
                  input.headers(),
                  input.topic(),
                  input.partition(),
                  input.offset())));
    }
    return new Completion(made);
  }

  private Completion dead(DeadLetter letter) {
    return new Completion(List.of(letter.to(segment.deadLetters())));
  }
}
