package dev.abacus.deploy.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.simulator.fault.ColdStart;
import dev.abacus.deploy.simulator.fault.FaultInjector;
import dev.abacus.deploy.simulator.fault.FaultRates;
import dev.abacus.deploy.simulator.limit.Account;
import dev.abacus.deploy.simulator.limit.RateLimiter;
import dev.abacus.deploy.simulator.server.CallListener;
import dev.abacus.deploy.simulator.server.EndpointState;
import dev.abacus.deploy.simulator.server.SimulatorServer;
import dev.abacus.deploy.simulator.skill.ModelProfiles;
import dev.abacus.deploy.simulator.truth.AnswersFileException;
import dev.abacus.deploy.simulator.truth.KnownDocuments;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.util.Set;

/**
 * A running simulated endpoint. It serves OpenAI's chat completions and embeddings under {@link
 * #baseUri()}. Every response has the header {@code x-abacus-simulated: true}.
 */
public final class SimulatedEndpoint implements AutoCloseable {

  private final SimulatorServer server;
  private final EndpointState state;
  private final int knownDocuments;

  private SimulatedEndpoint(SimulatorServer server, EndpointState state, int knownDocuments) {
    this.server = server;
    this.state = state;
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

  /** Starts an endpoint that dates responses and measures limits by the given clock. */
  public static SimulatedEndpoint start(SimulatorOptions options, Clock clock) throws IOException {
    return start(options, clock, CallListener.NONE);
  }

  /** Starts an endpoint that tells a listener about every model call. */
  public static SimulatedEndpoint start(
      SimulatorOptions options, Clock clock, CallListener listener) throws IOException {
    KnownDocuments answers = KnownDocuments.load(options.answers());
    Set<String> models = options.models();
    EndpointState state =
        new EndpointState(
            options.provider(),
            new FaultInjector(options.seed(), options.faults()),
            new RateLimiter(options.rateLimit(), clock),
            new Account(options.quota()),
            new ColdStart(options.coldStart(), clock),
            options.apiKey(),
            models == null
                ? EndpointState.models(options.provider(), ModelProfiles.bundled())
                : models,
            options.filtered());
    SimulatorServer.Settings settings =
        new SimulatorServer.Settings(
            new InetSocketAddress(options.host(), options.port()),
            options.speed(),
            options.latency(),
            options.stall(),
            options.slow(),
            options.seed(),
            options.contextTokens());
    SimulatorServer server = SimulatorServer.start(settings, answers, state, listener, clock);
    return new SimulatedEndpoint(server, state, answers.size());
  }

  /** The base URI for clients, such as {@code http://127.0.0.1:8080/v1}. */
  public URI baseUri() {
    return URI.create(server.origin() + state.provider().basePath());
  }

  /** Number of documents with ground truth. */
  public int knownDocuments() {
    return knownDocuments;
  }

  /** Key, models, limits, account and outages, which can be changed while the endpoint runs. */
  public EndpointState state() {
    return state;
  }

  /** Counters since the start, as {@code GET /simulator/stats} returns them. */
  public JsonNode statistics() {
    return server.statistics();
  }

  /** Changes the fault rates of later calls. */
  public void changeFaults(FaultRates rates) {
    state.faults().change(rates);
  }

  /** Stops the endpoint and interrupts running calls. */
  @Override
  public void close() {
    server.close();
  }
}
