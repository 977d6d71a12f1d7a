package dev.abacus.topology.document;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.topic.Headers;
import dev.abacus.topology.control.PlanSlot;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.execution.PlanOutcome;
import dev.abacus.topology.execution.Progress;
import dev.abacus.topology.execution.ProgressCodec;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ReceiptingModelClient;
import dev.abacus.topology.runtime.Arrival;
import dev.abacus.topology.runtime.Completion;
import dev.abacus.topology.runtime.Job;
import dev.abacus.topology.runtime.JobContext;
import dev.abacus.topology.runtime.Output;
import dev.abacus.topology.runtime.Work;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

/**
 * Carries documents through the plan of the epoch that they were stamped with on entry: never
 * through a mix of two, also after a crash.
 *
 * <p>A document yields a result, or nothing if a filter dropped it, or a dead letter; a tombstone
 * yields a tombstone.
 */
public final class DocumentWork implements Work {

  private final PlanSlot slot;
  private final DocumentCodec codec;
  private final PlanExecutor executor;
  private final ModelClient models;
  private final ProgramCounters counters;
  private final InstantSource clock;

  /** Work for one program. */
  public DocumentWork(
      PlanSlot slot,
      DocumentCodec codec,
      PlanExecutor executor,
      ModelClient models,
      ProgramCounters counters,
      InstantSource clock) {
    this.slot = slot;
    this.codec = codec;
    this.executor = executor;
    this.models = models;
    this.counters = counters;
    this.clock = clock;
  }

  @Override
  public long stamp(Arrival arrival) {
    return slot.epochFor(arrival.key());
  }

  @Override
  public boolean ready(long epoch) {
    return slot.plan(epoch) != null;
  }

  @Override
  public Completion run(Job job, JobContext context) throws InterruptedException {
    Arrival arrival = job.arrival();
    PhysicalPlan plan = Objects.requireNonNull(slot.plan(job.stamp()), "ready() said it is known");
    if (arrival.value() == null) {
      return new Completion(List.of(tombstone(arrival)));
    }
    Progress from;
    try {
      from = progress(job, arrival.value());
    } catch (InvalidDocumentException e) {
      counters.deadLetter(0);
      return dead(DeadLetter.of(arrival, "InvalidDocument", String.valueOf(e.getMessage())));
    }
    ModelClient client = new ReceiptingModelClient(models, ModelReceipts.of(context.receipts()));
    PlanOutcome outcome =
        executor.run(
            plan, from, client, progress -> context.checkpoint(ProgressCodec.write(progress)));
    return complete(job, plan, outcome);
  }

  private Progress progress(Job job, byte[] value)
      throws InvalidDocumentException, InterruptedException {
    byte[] checkpoint = job.checkpoint();
    if (checkpoint != null) {
      return ProgressCodec.read(checkpoint);
    }
    Document document = codec.read(value);
    return Progress.start(document);
  }

  private Completion complete(Job job, PhysicalPlan plan, PlanOutcome outcome)
      throws InterruptedException {
    double cost = outcome.expense().cost();
    counters.document(
        plan.epoch(), cost, outcome.expense().latency(), outcome instanceof PlanOutcome.Failed);
    return switch (outcome) {
      case PlanOutcome.Result result -> {
        Output output = result(job, plan, result);
        counters.result(cost);
        yield new Completion(List.of(output));
      }
      case PlanOutcome.Filtered _ -> {
        counters.filtered(cost);
        yield new Completion(List.of());
      }
      case PlanOutcome.Failed failed -> {
        counters.deadLetter(cost);
        String kind = failed.failure().getClass().getSimpleName();
        yield dead(
            DeadLetter.of(job.arrival(), kind, failed.failure().message())
                .with(Headers.OPERATOR, failed.operator())
                .with(Headers.ATTEMPTS, String.valueOf(failed.attempts()))
                .with(Headers.PROGRAM, plan.program())
                .with(Headers.PLAN_EPOCH, String.valueOf(plan.epoch()))
                .with(Headers.COST_USD, ResultHeaders.decimal(cost)));
      }
    };
  }

  private Output result(Job job, PhysicalPlan plan, PlanOutcome.Result result)
      throws InterruptedException {
    return new Output(
        DocumentTopology.RESULTS,
        job.arrival().key(),
        codec.write(result.document(), plan),
        ResultHeaders.of(job, plan, result.expense(), clock.instant()),
        Math.max(0, job.arrival().timestamp()));
  }

  private static Output tombstone(Arrival arrival) {
    return new Output(
        DocumentTopology.RESULTS,
        arrival.key(),
        null,
        arrival.headers(),
        Math.max(0, arrival.timestamp()));
  }

  @Override
  public Completion failed(Job job, Throwable cause) {
    counters.deadLetter(0);
    return dead(DeadLetter.of(job.arrival(), cause));
  }

  @Override
  public Completion rejected(Arrival arrival, String reason) {
    counters.deadLetter(0);
    return dead(DeadLetter.of(arrival, "OversizedDocument", reason));
  }

  private static Completion dead(DeadLetter letter) {
    return new Completion(List.of(letter.to(DocumentTopology.DEAD_LETTERS)));
  }
}
