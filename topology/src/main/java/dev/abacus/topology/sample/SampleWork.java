package dev.abacus.topology.sample;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.topology.codec.DeadLetter;
import dev.abacus.topology.model.CallPurpose;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ReceiptedCalls;
import dev.abacus.topology.replay.DocumentReplay;
import dev.abacus.topology.runtime.Completion;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.OutputRecord;
import dev.abacus.topology.runtime.PendingRecord;
import dev.abacus.topology.runtime.Work;
import dev.abacus.topology.runtime.WorkContext;
import dev.abacus.topology.telemetry.ProgramCounters;
import dev.abacus.topology.telemetry.Tracing;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Processes sample tasks: runs an implementation on an input, scores the output and reports an
 * observation. Each valid task yields exactly one observation, so that the optimizer can wait for
 * it.
 *
 * @param models the client of samples and their judges
 * @param tracing makes a trace of each sample
 * @param replay runs the tasks of {@code abacus replay}, which are among the samples; null if there
 *     are none
 */
public record SampleWork(
    SampleRunner runner,
    ModelClient models,
    ProgramCounters counters,
    Tracing tracing,
    @Nullable DocumentReplay replay)
    implements Work {

  @Override
  public Completion run(PendingRecord record, WorkContext context) throws InterruptedException {
    InputRecord input = record.input();
    if (input.value() == null) {
      return Completion.EMPTY;
    }
    if (replay != null && DocumentReplay.is(input)) {
      return replay.run(input, context);
    }
    SampleTask task;
    try {
      task = Json.read(input.value(), SampleTask.class);
    } catch (MalformedRecordException e) {
      return dead(DeadLetter.of(input, "MalformedSample", String.valueOf(e.getMessage())));
    }
    Observation observation =
        traced(task, new ReceiptedCalls(context, counters::known).around(models));
    TokenCounts tokens = observation.tokens();
    return report(input, observation)
        .whenCommitted(
            () -> counters.sample(observation.spent(), tokens == null ? TokenCounts.NONE : tokens));
  }

  /** Runs a task in a trace of its own. */
  private Observation traced(SampleTask task, ModelClient client) throws InterruptedException {
    try (Tracing.BesideWork trace =
        tracing.beside("sample " + task.operator().id(), Context.root())) {
      Span span = trace.span();
      span.setAttribute("abacus.program", task.program());
      span.setAttribute("abacus.operator", task.operator().id());
      span.setAttribute("abacus.implementation", task.physical().id());
      span.setAttribute("abacus.example", task.exampleId());
      Observation observation =
          new CallPurpose(task.program(), task.operator().id(), CallPurpose.Kind.SAMPLES)
              .call(() -> runner.run(task, client));
      span.setAttribute("abacus.cost.usd", observation.spent());
      Double quality = observation.quality();
      if (quality != null) {
        span.setAttribute("abacus.quality", quality);
      }
      if (observation.failure() != null) {
        span.setStatus(StatusCode.ERROR);
      }
      return observation;
    }
  }

  /** Reports an exception as a failed sample. */
  @Override
  public Completion failed(PendingRecord record, Throwable cause) {
    InputRecord input = record.input();
    if (replay != null && DocumentReplay.is(input)) {
      return replay.failed(input, cause);
    }
    try {
      byte[] value = input.value() == null ? new byte[0] : input.value();
      SampleTask task = Json.read(value, SampleTask.class);
      Observation observation =
          Observation.of(task)
              .outcome(Outcome.FAILED)
              .quality(0.0)
              .scoredBy(ScoredBy.FAILURE)
              .failure(cause.toString())
              .build();
      return report(input, observation);
    } catch (MalformedRecordException e) {
      return dead(DeadLetter.of(input, cause));
    }
  }

  @Override
  public Completion rejected(InputRecord input, String reason) {
    if (replay != null && DocumentReplay.is(input)) {
      return replay.failed(input, new IllegalArgumentException(reason));
    }
    return Completion.of(
        DeadLetter.of(input, "OversizedSample", reason).to(SampleTopology.DEAD_LETTERS, 0));
  }

  private static Completion report(InputRecord input, Observation observation) {
    byte[] key = observation.taskId().getBytes(StandardCharsets.UTF_8);
    return Completion.of(
        new OutputRecord(
            SampleTopology.OBSERVATIONS,
            key,
            Json.write(observation),
            List.of(),
            Math.max(0, input.timestamp())));
  }

  private static Completion dead(DeadLetter letter) {
    return Completion.of(letter.to(SampleTopology.DEAD_LETTERS));
  }
}
