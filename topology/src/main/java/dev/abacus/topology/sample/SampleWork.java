package dev.abacus.topology.sample;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.topology.codec.DeadLetter;
import dev.abacus.topology.live.ModelReceipts;
import dev.abacus.topology.live.ModelWaits;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ReceiptingModelClient;
import dev.abacus.topology.model.WaitListener;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.runtime.Completion;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.OutputRecord;
import dev.abacus.topology.runtime.PendingRecord;
import dev.abacus.topology.runtime.Work;
import dev.abacus.topology.runtime.WorkContext;
import dev.abacus.topology.scoring.Scorer;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;

/**
 * Processes sample tasks: runs an implementation on an input, scores the output and reports an
 * observation. Each valid task yields exactly one observation, so that the optimizer can wait for
 * it.
 */
public final class SampleWork implements Work {

  private final SampleRunner runner;
  private final ModelClient models;
  private final ProgramCounters counters;

  /**
   * The work for one program.
   *
   * @param catalogue prices of the models
   * @param clock gives the time of failures
   * @param checks of the models; no sample runs with a model that cannot be called
   */
  public SampleWork(
      OperatorRuntime operators,
      Scorer scorer,
      ModelClient models,
      ModelCatalogue catalogue,
      ProgramCounters counters,
      InstantSource clock,
      SampleRunner.ModelCheck checks) {
    this.runner =
        new SampleRunner(operators, scorer, catalogue, clock, checks, new SharedAnswers());
    this.models = models;
    this.counters = counters;
  }

  /** Samples need no plan. */
  @Override
  public long epoch(InputRecord input) {
    return 0;
  }

  @Override
  public boolean ready(long epoch) {
    return true;
  }

  @Override
  public Completion run(PendingRecord record, WorkContext context) throws InterruptedException {
    InputRecord input = record.input();
    if (input.value() == null) {
      return Completion.EMPTY;
    }
    SampleTask task;
    try {
      task = Json.read(input.value(), SampleTask.class);
    } catch (MalformedRecordException e) {
      return dead(DeadLetter.of(input, "MalformedSample", String.valueOf(e.getMessage())));
    }
    ModelClient client = new ReceiptingModelClient(models, ModelReceipts.of(context.receipts()));
    Observation observation =
        ScopedValue.where(WaitListener.CURRENT, ModelWaits.of(context))
            .call(() -> runner.run(task, client));
    TokenCounts tokens = observation.tokens();
    return report(input, observation)
        .whenCommitted(
            () -> counters.sample(observation.spent(), tokens == null ? TokenCounts.NONE : tokens));
  }

  /** Reports an exception as a failed sample. */
  @Override
  public Completion failed(PendingRecord record, Throwable cause) {
    InputRecord input = record.input();
    try {
      byte[] value = input.value() == null ? new byte[0] : input.value();
      SampleTask task = Json.read(value, SampleTask.class);
      Observation observation =
          Observation.of(task)
              .outcome(Outcome.FAILED)
              .score(0.0, ScoredBy.FAILURE)
              .failure(cause.toString())
              .build();
      return report(input, observation);
    } catch (MalformedRecordException e) {
      return dead(DeadLetter.of(input, cause));
    }
  }

  @Override
  public Completion rejected(InputRecord input, String reason) {
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
