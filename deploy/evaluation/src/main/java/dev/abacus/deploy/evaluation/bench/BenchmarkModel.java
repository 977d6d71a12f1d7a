package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.evaluation.bench.ThroughputOptions.Load;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.deploy.simulator.fault.FaultRates;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.ModelAccess;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelListener;
import dev.abacus.topology.model.Retries;
import dev.abacus.topology.model.RetryPolicy;
import dev.abacus.topology.model.admission.AdmissionController;
import dev.abacus.topology.model.admission.AdmissionTimer;
import dev.abacus.topology.model.media.MediaPolicy;
import dev.abacus.topology.model.openai.Endpoints;
import dev.abacus.topology.telemetry.Tracing;
import java.io.IOException;
import java.time.Clock;
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
          "{\"topic\":\"delivery\"}", TokenCounts.of(200, 0, 5), 0, 0, 1, List.of());

  static BenchmarkModel of(ThroughputOptions options) throws IOException {
    return options.overHttp() ? overHttp(options.load()) : waiting(options.load());
  }

  static BenchmarkModel waiting(Load load) {
    ModelClient client =
        _ -> {
          boolean straggler =
              load.stragglers()
                  && ThreadLocalRandom.current().nextDouble() < ThroughputOptions.STRAGGLERS;
          Thread.sleep(
              straggler
                  ? load.latency().multipliedBy(ThroughputOptions.STRAGGLER_FACTOR)
                  : load.latency());
          return ANSWER;
        };
    return new BenchmarkModel(client, () -> {});
  }

  private static BenchmarkModel overHttp(Load load) throws IOException {
    SimulatorOptions simulator = SimulatorOptions.DEFAULTS.withLatency(load.latency());
    if (load.stragglers()) {
      simulator =
          simulator
              .withFaults(FaultRates.parse("slow=" + ThroughputOptions.STRAGGLERS))
              .withSlow(load.latency().multipliedBy(ThroughputOptions.STRAGGLER_FACTOR));
    }
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
            ModelListener.NONE,
            Tracing.OFF);
    return new BenchmarkModel(access.client(), endpoint::close);
  }

  @Override
  public void close() {
    stop.run();
  }
}
