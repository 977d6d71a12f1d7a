package dev.abacus.deploy.simulator;

import dev.abacus.deploy.simulator.fault.FaultInjector;
import dev.abacus.deploy.simulator.fault.FaultRates;
import dev.abacus.deploy.simulator.server.SimulatorServer;
import dev.abacus.deploy.simulator.skill.ModelProfiles;
import dev.abacus.deploy.simulator.truth.AnswersFileException;
import dev.abacus.deploy.simulator.truth.KnownDocuments;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;

/**
 * A running simulated endpoint. It serves OpenAI's chat completions and embeddings under {@link
 * #baseUri()}. Every response has the header {@code x-abacus-simulated: true}.
 */
public final class SimulatedEndpoint implements AutoCloseable {

  private final SimulatorServer server;
  private final FaultInjector faults;
  private final int knownDocuments;

  private SimulatedEndpoint(SimulatorServer server, FaultInjector faults, int knownDocuments) {
    this.server = server;
    this.faults = faults;
    this.knownDocuments = knownDocuments;
  }

  /**
   * Starts an endpoint.
   *
   * @throws AnswersFileException if an answers file is unreadable or invalid
   * @throws IOException if the port is not available
   */
  public static SimulatedEndpoint start(SimulatorOptions options) throws IOException {
    return start(options, Clock.systemUTC());
  }

  /** Starts an endpoint that dates responses by the given clock. */
  public static SimulatedEndpoint start(SimulatorOptions options, Clock clock) throws IOException {
    KnownDocuments answers = KnownDocuments.load(options.answers());
    FaultInjector faults = new FaultInjector(options.seed(), options.faults());
    SimulatorServer.Settings settings =
        new SimulatorServer.Settings(
            new InetSocketAddress(options.host(), options.port()),
            options.speed(),
            options.latency(),
            options.seed(),
            options.apiKey(),
            options.stall());
    SimulatorServer server =
        SimulatorServer.start(settings, ModelProfiles.bundled(), answers, faults, clock);
    return new SimulatedEndpoint(server, faults, answers.size());
  }

  /** The base URI for clients, such as {@code http://127.0.0.1:8080/v1}. */
  public URI baseUri() {
    return URI.create(server.origin() + "/v1");
  }

  /** Number of documents with ground truth. */
  public int knownDocuments() {
    return knownDocuments;
  }

  /** Changes the fault rates of later calls. */
  public void changeFaults(FaultRates rates) {
    faults.change(rates);
  }

  /** Stops the endpoint and interrupts running calls. */
  @Override
  public void close() {
    server.close();
  }
}
