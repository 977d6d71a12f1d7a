package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.deploy.simulator.fault.FaultRates;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.ModelAccess;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.Retries;
import dev.abacus.topology.model.RetryPolicy;
import dev.abacus.topology.model.admission.AdmissionController;
import dev.abacus.topology.model.admission.AdmissionTimer;
import dev.abacus.topology.model.media.MediaPolicy;
import dev.abacus.topology.model.openai.Endpoints;
import dev.abacus.topology.telemetry.Tracing;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The model of the throughput benchmark: a client that only waits, or the simulated endpoint over
 * HTTP.
 */
record BenchmarkModel(ModelClient client, Runnable stop) implements AutoCloseable {

  /** The answer of a model that only waits. */
  static final ModelAnswer ANSWER =
      new ModelAnswer.Success(
          "{\"topic\":\"delivery\"}",
          new ExecutionStats(0, 0, 1, TokenCounts.of(200, 0, 5)),
          List.of());

  /** Part of the calls that are slow if there are stragglers. */
  private static final double STRAGGLERS = 0.01;

  /** How many times as long as the others slow calls take. */
  private static final int STRAGGLER_FACTOR = 15;

  /**
   * Starts the model.
   *
   * @param latency latency of each call, not below 0
   * @param stragglers whether 1 % of the calls take 15 times the latency
   * @param overHttp whether calls go over HTTP to the simulated endpoint in this process; otherwise
   *     a client only waits
   */
  static BenchmarkModel of(Duration latency, boolean stragglers, boolean overHttp)
      throws IOException {
    Duration slow = latency.multipliedBy(STRAGGLER_FACTOR);
    if (overHttp) {
      SimulatorOptions simulator = SimulatorOptions.DEFAULTS.withLatency(latency);
      return overHttp(
          stragglers
              ? simulator.withFaults(FaultRates.parse("slow=" + STRAGGLERS)).withSlow(slow)
              : simulator);
    }
    ModelClient client =
        _ -> {
          boolean straggler = stragglers && ThreadLocalRandom.current().nextDouble() < STRAGGLERS;
          Thread.sleep(straggler ? slow : latency);
          return ANSWER;
        };
    return new BenchmarkModel(client, () -> {});
  }

  /** The mean latency of a call in seconds. */
  static double meanSeconds(Duration latency, boolean stragglers) {
    return latency.toNanos() / 1e9 * (stragglers ? 1 + STRAGGLERS * (STRAGGLER_FACTOR - 1) : 1);
  }

  private static BenchmarkModel overHttp(SimulatorOptions simulator) throws IOException {
    SimulatedEndpoint endpoint = SimulatedEndpoint.start(simulator);
    ModelCatalogue catalogue = ModelCatalogue.builtIn();
    ModelAccess access =
        ModelAccess.of(
            catalogue,
            Endpoints.of(endpoint.baseUri().toString(), null),
            MediaPolicy.BY_REFERENCE,
            Retries.of(RetryPolicy.DEFAULT, new Random()),
            new AdmissionController(
                catalogue,
                AdmissionController.Settings.NONE,
                AdmissionTimer.system(
                    new Supervisor(RestartPolicy.standard(_ -> false), Clock.systemUTC())
                        .watch("admission")),
                new Random()),
            List.of(),
            Tracing.OFF);
    return new BenchmarkModel(access.client(), endpoint::close);
  }

  @Override
  public void close() {
    stop.run();
  }
}
