package dev.abacus.topology.sample;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.topology.codec.DeadLetter;
import dev.abacus.topology.live.ModelReceipts;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ReceiptingModelClient;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.runtime.Arrival;
import dev.abacus.topology.runtime.Completion;
import dev.abacus.topology.runtime.Job;
import dev.abacus.topology.runtime.JobContext;
import dev.abacus.topology.runtime.Output;
import dev.abacus.topology.runtime.Work;
import dev.abacus.topology.scoring.Scorer;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Carries out sample tasks: runs the implementation on the input, scores what comes out, and
 * reports an observation. Every task that can be read is answered by exactly one observation, so
 * that the optimizer never waits in vain.
 */
public final class SampleWork implements Work {

  private final SampleRunner runner;
  private final ModelClient models;
  private final ProgramCounters counters;

  /**
   * Work for one program.
   *
   * @param catalogue what the models cost
   */
  public SampleWork(
      OperatorRuntime operators,
      Scorer scorer,
      ModelClient models,
      ModelCatalogue catalogue,
      ProgramCounters counters) {
    this.runner = new SampleRunner(operators, scorer, catalogue);
    this.models = models;
    this.counters = counters;
  }

  /** Samples belong to no epoch. */
  @Override
  public long stamp(Arrival arrival) {
    return 0;
  }

  @Override
  public boolean ready(long stamp) {
    return true;
  }

  @Override
  public Completion run(Job job, JobContext context) throws InterruptedException {
    Arrival arrival = job.arrival();
    if (arrival.value() == null) {
      return new Completion(List.of());
    }
    SampleTask task;
    try {
      task = Json.read(arrival.value(), SampleTask.class);
    } catch (MalformedRecordException e) {
      return dead(DeadLetter.of(arrival, "MalformedSample", String.valueOf(e.getMessage())));
    }
    ModelClient client = new ReceiptingModelClient(models, ModelReceipts.of(context.receipts()));
    Observation observation = runner.run(task, client);
    counters.sample(observation.spent());
    return report(arrival, observation);
  }

  /** A bug in running a task is reported as a failed sample, which the search can live with. */
  @Override
  public Completion failed(Job job, Throwable cause) {
    Arrival arrival = job.arrival();
    try {
      byte[] value = arrival.value() == null ? new byte[0] : arrival.value();
      SampleTask task = Json.read(value, SampleTask.class);
      Observation observation =
          new Observation(
              task.id(),
              task.program(),
              task.operator().id(),
              task.physical().id(),
              task.exampleId(),
              Outcome.FAILED,
              List.of(),
              0.0,
              ScoredBy.FAILURE,
              0,
              0,
              0,
              cause.toString());
      return report(arrival, observation);
    } catch (MalformedRecordException e) {
      return dead(DeadLetter.of(arrival, cause));
    }
  }

  @Override
  public Completion rejected(Arrival arrival, String reason) {
    return dead(DeadLetter.of(arrival, "OversizedSample", reason));
  }

  private static Completion report(Arrival arrival, Observation observation) {
    byte[] key = observation.taskId().getBytes(StandardCharsets.UTF_8);
    return new Completion(
        List.of(
            new Output(
                SampleTopology.OBSERVATIONS,
                key,
                Json.write(observation),
                List.of(),
                Math.max(0, arrival.timestamp()))));
  }

  private static Completion dead(DeadLetter letter) {
    return new Completion(List.of(letter.to(SampleTopology.DEAD_LETTERS)));
  }
}
