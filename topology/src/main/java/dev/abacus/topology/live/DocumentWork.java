package dev.abacus.topology.live;

import dev.abacus.schemas.catalogue.Usage;
import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.monitor.LogContext;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.redaction.RedactedDocument;
import dev.abacus.schemas.redaction.Redaction;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.PairHeaders;
import dev.abacus.topology.codec.Provenance;
import dev.abacus.topology.codec.Watermark;
import dev.abacus.topology.execution.Checkpoint;
import dev.abacus.topology.execution.CheckpointSerializer;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.execution.PlanOutcome;
import dev.abacus.topology.journey.JourneyRecorder;
import dev.abacus.topology.journey.Journeys;
import dev.abacus.topology.model.CallPurpose;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ReceiptedCalls;
import dev.abacus.topology.runtime.Completion;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.PendingRecord;
import dev.abacus.topology.runtime.RecordSizes;
import dev.abacus.topology.runtime.Work;
import dev.abacus.topology.runtime.WorkContext;
import dev.abacus.topology.stateful.time.EventTime;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Processes the documents of a segment with the plan of their epoch. A document gets its epoch when
 * its first call may start and keeps it, also after a crash, so one plan processes it to the end.
 *
 * <p>A document yields its outputs, nothing if a filter drops it, or a dead letter. A tombstone
 * yields a tombstone. A watermark is a barrier: it is forwarded after all earlier records.
 */
public final class DocumentWork implements Work {

  /** The epoch of watermarks, which need no plan. */
  private static final long NO_PLAN = 0;

  private final Segment segment;
  private final DocumentServices services;
  private final SegmentOutputs outputs;
  private final SegmentDeadLetters deadLetters;

  DocumentWork(Segment segment, DocumentServices services, RecordSizes sizes) {
    this.segment = segment;
    this.services = services;
    this.outputs = new SegmentOutputs(segment, services.clock(), sizes);
    this.deadLetters =
        new SegmentDeadLetters(segment, outputs, services.counters(), sizes.largestOutput());
  }

  /**
   * The work of a program with a single segment, from its source to the sinks {@link
   * DocumentTopology#RESULTS} and {@link DocumentTopology#DEAD_LETTERS}.
   */
  public static DocumentWork whole(Program program, DocumentServices services) {
    DocumentCodec codec = new DocumentCodec(program, program.sources().getFirst(), services.avro());
    Segment segment =
        new Segment(
            codec,
            codec,
            program.sources().getFirst().redaction(),
            Segment.Steps.ALL,
            new Segment.Outlets(
                List.of(DocumentTopology.RESULTS),
                DocumentTopology.DEAD_LETTERS,
                false,
                DocumentTopology.LEARNING));
    return new DocumentWork(segment, services, RecordSizes.UNLIMITED);
  }

  @Override
  public boolean isBarrier(InputRecord input) {
    return Watermark.is(input.value(), input.headers()) || isEndOfPairs(input);
  }

  /** Ignores these headers on source records, where a user may have set them. */
  private boolean isEndOfPairs(InputRecord input) {
    return segment.reader() == null && PairHeaders.isEnd(input.headers());
  }

  @Override
  public long epoch(InputRecord input) {
    if (isBarrier(input)) {
      return NO_PLAN;
    }
    byte[] value = input.value();
    long epoch =
        segment.reader() == null && value != null ? Envelope.epoch(value) : Provenance.UNSTAMPED;
    return epoch == Provenance.UNSTAMPED ? UNSTAMPED : epoch;
  }

  /** The plan that is active when the first call may start, so that a new plan applies at once. */
  @Override
  public long stamp(InputRecord input) {
    return services.plans().epochFor(input.key());
  }

  @Override
  public boolean ready(long epoch) {
    return epoch == NO_PLAN || (isKnown(epoch) && services.affordable().getAsBoolean());
  }

  private boolean isKnown(long epoch) {
    return epoch == UNSTAMPED
        ? services.plans().state().active() != null
        : services.plans().plan(epoch) != null;
  }

  @Override
  public Completion run(PendingRecord record, WorkContext context) throws InterruptedException {
    InputRecord input = record.input();
    byte[] value = input.value();
    if (isBarrier(input)) {
      return forwardWatermark(input);
    }
    if (value == null) {
      return new Completion(outputs.unchanged(input));
    }
    return process(record, value, context);
  }

  private Completion process(PendingRecord record, byte[] value, WorkContext context)
      throws InterruptedException {
    InputRecord input = record.input();
    byte[] checkpoint = context.restoredCheckpoint();
    Envelope envelope;
    Redaction redaction = segment.redaction();
    try {
      envelope = read(record, value, checkpoint != null && redaction == null);
    } catch (InvalidDocumentException e) {
      return deadLetters.invalid(input, "InvalidDocument", String.valueOf(e.getMessage()));
    }
    PhysicalPlan plan =
        Objects.requireNonNull(services.plans().plan(record.epoch()), "ready() was true");
    RedactedDocument redacted = redaction == null ? null : redaction.of(envelope.document());
    Document shown = redacted == null ? envelope.document() : redacted.document();
    Journeys journeys = services.journeys();
    JourneyRecorder journey = journeys == null ? null : new JourneyRecorder();
    LiveLearning.OfDocument learning =
        segment.outlets().learning() == null ? null : services.learning(plan, envelope);
    PlanOutcome outcome;
    InputRecord traced;
    try (LogContext _ =
            LogContext.ofDocument(
                plan.program(), plan.epoch(), input.topic(), input.partition(), input.offset());
        DocumentTrace trace =
            DocumentTrace.open(services.tracing(), input, plan, context.isRestored())) {
      outcome = execute(plan, envelope, shown, checkpoint, context, journey, learning);
      trace.ended(outcome);
      traced = trace.traced(input);
    }
    Completion completion =
        switch (outcome) {
          case PlanOutcome.Result result ->
              new Completion(
                      outputs.of(
                          traced,
                          plan,
                          envelope,
                          redacted != null && segment.restores()
                              ? result.mapped(redacted::restore)
                              : result))
                  .withCheckpoint(
                      () -> CheckpointSerializer.LAYOUT.toBytes(finished(plan, envelope, result)));
          case PlanOutcome.Filtered _ -> Completion.EMPTY;
          case PlanOutcome.Failed failed -> deadLetters.failed(input, envelope, plan, failed);
        };
    String taught = segment.outlets().learning();
    if (learning != null && taught != null) {
      completion = completion.plus(learning.records(taught));
    }
    Provenance provenance = envelope.provenance();
    DocumentCodec source = checkpoint == null ? segment.reader() : null;
    int length = source == null ? 0 : shown.textLength();
    return completion.whenCommitted(() -> {
      if (source != null) {
        services.counters().size(source.source(), length);
      }
      count(plan, provenance, outcome);
      if (journeys != null && journey != null) {
        Envelope told = redacted == null ? envelope : envelope.redacted(redacted);
        journeys.ended(journey, told, plan.epoch(), checkpoint != null, outcome);
      }
    });
  }

  private PlanOutcome execute(
      PhysicalPlan plan,
      Envelope envelope,
      Document shown,
      byte @Nullable [] checkpoint,
      WorkContext context,
      @Nullable JourneyRecorder journey,
      LiveLearning.@Nullable OfDocument learning)
      throws InterruptedException {
    PlanExecutor executor = services.executor();
    executor = learning == null ? executor : executor.around(learning::around);
    executor = executor.around(services.counters()::around);
    executor = learning == null || plan.orders().isEmpty() ? executor : executor.ordered(learning);
    PlanExecutor recorded = journey == null ? executor : executor.around(journey::around);
    List<PlanStep> steps = segment.steps(plan, envelope);
    Checkpoint from =
        checkpoint == null ? Checkpoint.start(shown) : CheckpointSerializer.LAYOUT.read(checkpoint);
    ModelClient models =
        new ReceiptedCalls(context, services.counters()::known).around(services.models());
    return new CallPurpose(plan.program(), "", CallPurpose.Kind.LIVE)
        .call(() ->
            recorded.run(
                steps,
                from,
                models,
                reached -> {
                  // The completion follows the last step at once, and has its state.
                  if (reached.nextStep() < steps.size()) {
                    context.checkpoint(CheckpointSerializer.LAYOUT.toBytes(reached));
                  }
                },
                services.listener(plan, envelope)));
  }

  private Checkpoint finished(PhysicalPlan plan, Envelope envelope, PlanOutcome.Result result) {
    return new Checkpoint(
        segment.steps(plan, envelope).size(),
        result.documents(),
        result.fannedOut(),
        result.stats());
  }

  /** Drops a watermark of a user in a program that does not use event time. */
  private Completion forwardWatermark(InputRecord input) {
    Watermark watermark = Watermark.of(input.headers());
    if (isEndOfPairs(input) || watermark != null) {
      if (segment.writer() == null) {
        return new Completion(outputs.unchanged(input));
      }
      return watermark != null && EventTime.isEnd(watermark.time())
          ? Completion.EMPTY.whenCommitted(() -> services.range().ended(watermark.channel()))
          : Completion.EMPTY;
    }
    return Watermark.time(input.headers()) != null
        ? Completion.EMPTY
        : deadLetters.invalid(
            input,
            "InvalidWatermark",
            "the header " + Headers.WATERMARK + " is not a number of milliseconds");
  }

  /**
   * Reads the record as an envelope.
   *
   * @param resumed whether the checkpoint holds the document, so that it need not be parsed
   */
  private Envelope read(PendingRecord record, byte[] value, boolean resumed)
      throws InvalidDocumentException, InterruptedException {
    DocumentCodec reader = segment.reader();
    if (reader == null) {
      return Envelope.read(value);
    }
    InputRecord input = record.input();
    Document document = resumed ? Document.empty() : reader.read(input.key(), value);
    Provenance provenance =
        new Provenance(
            record.epoch(),
            Usage.NONE,
            record.admittedAt(),
            input.topic(),
            input.partition(),
            input.offset());
    return new Envelope(input.key(), document, provenance, input.key(), value);
  }

  /** Counts what the operators of this segment did, and what leaves the program. */
  private void count(PhysicalPlan plan, Provenance provenance, PlanOutcome outcome) {
    ProgramCounters counters = services.counters();
    double cost = outcome.stats().cost();
    double latency = outcome.stats().latency();
    boolean last = segment.writer() != null;
    counters.spent(cost);
    counters.work(
        plan.epoch(), new EpochCounts.Work(segment.reader() == null ? 0 : 1, cost, latency));
    if (last || !(outcome instanceof PlanOutcome.Result)) {
      counters.document(
          plan.epoch(), provenance.cost() + cost, latency, outcome instanceof PlanOutcome.Failed);
    }
    switch (outcome) {
      case PlanOutcome.Result result -> {
        if (last) {
          result.documents().forEach(_ -> counters.result());
        }
      }
      case PlanOutcome.Filtered _ -> counters.filtered(provenance.isGroup());
      case PlanOutcome.Failed _ -> counters.deadLetter();
    }
  }

  @Override
  public @Nullable String topic(String child) {
    DocumentCodec writer = segment.writer();
    return writer == null || !segment.outlets().children().contains(child)
        ? null
        : writer.resultsTopic();
  }

  @Override
  public Completion failed(PendingRecord record, Throwable cause) {
    return deadLetters.unexpected(record.input(), cause);
  }

  @Override
  public Completion rejected(InputRecord input, String reason) {
    return deadLetters.oversized(input, reason);
  }
}
