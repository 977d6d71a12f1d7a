package dev.abacus.deploy.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.abacus.deploy.simulator.answering.SimulatedModel;
import dev.abacus.deploy.simulator.fault.FaultKind;
import dev.abacus.deploy.simulator.fault.FaultRates;
import dev.abacus.deploy.simulator.provider.ErrorBody;
import dev.abacus.deploy.simulator.provider.Provider;
import dev.abacus.deploy.simulator.skill.ModelProfiles;
import dev.abacus.deploy.simulator.tokens.Tokenizer;
import dev.abacus.deploy.simulator.truth.AnswersFileException;
import dev.abacus.deploy.simulator.truth.KnownDocuments;
import dev.abacus.deploy.simulator.wire.ApiException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running simulated endpoint. It serves OpenAI's chat completions and embeddings under {@link
 * #baseUri()}, one virtual thread per call, tuned for thousands of concurrent calls. Every response
 * has the header {@code x-abacus-simulated: true}.
 */
public final class SimulatedEndpoint implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SimulatedEndpoint.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int BACKLOG = 8192;

  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CallHandler calls;
  private final EndpointState state;
  private final CallStatistics statistics;
  private final AdminService admin;
  private final CallListener listener;
  private final int knownDocuments;

  private SimulatedEndpoint(
      HttpServer http, CallHandler calls, CallListener listener, int knownDocuments) {
    this.http = http;
    this.calls = calls;
    this.state = calls.state();
    this.statistics = calls.statistics();
    this.admin = new AdminService(state, statistics);
    this.listener = listener;
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
    ModelProfiles catalogue = ModelProfiles.bundled();
    EndpointState state = new EndpointState(options, catalogue, clock);
    CallStatistics statistics = new CallStatistics();
    Tokenizer tokenizer = new Tokenizer();
    ChatService chat =
        new ChatService(
            catalogue,
            new SimulatedModel(answers, options.seed()),
            tokenizer,
            statistics,
            clock,
            state);
    EmbeddingService embeddings = new EmbeddingService(catalogue, tokenizer, statistics);
    return start(
        new CallHandler(chat, embeddings, catalogue, statistics, state, clock),
        listener,
        answers.size());
  }

  /**
   * Starts an endpoint whose calls are answered by scripts instead of simulated models. Only calls
   * of models that the simulator has are checked and counted by model.
   *
   * @throws IOException if the port is not available
   */
  public static SimulatedEndpoint scripted(
      SimulatorOptions options, ModelService chat, ModelService embeddings) throws IOException {
    ModelProfiles catalogue = ModelProfiles.bundled();
    Clock clock = Clock.systemUTC();
    EndpointState state = new EndpointState(options, catalogue, clock);
    return start(
        new CallHandler(chat, embeddings, catalogue, new CallStatistics(), state, clock),
        CallListener.NONE,
        0);
  }

  private static SimulatedEndpoint start(
      CallHandler calls, CallListener listener, int knownDocuments) throws IOException {
    tune();
    SimulatorOptions options = calls.state().options();
    HttpServer http =
        HttpServer.create(new InetSocketAddress(options.host(), options.port()), BACKLOG);
    SimulatedEndpoint endpoint = new SimulatedEndpoint(http, calls, listener, knownDocuments);
    http.createContext("/", endpoint::handle);
    http.setExecutor(endpoint.threads);
    http.start();
    return endpoint;
  }

  /**
   * Sets properties that the server of the JDK reads once, at the first instance. Properties that
   * the user has set are kept.
   */
  private static void tune() {
    Map.of("sun.net.httpserver.maxIdleConnections", "20000", "sun.net.httpserver.nodelay", "true")
        .forEach((key, value) -> {
          if (System.getProperty(key) == null) {
            System.setProperty(key, value);
          }
        });
  }

  /** The base URI for clients, such as {@code http://127.0.0.1:8080/v1}. */
  public URI baseUri() {
    InetSocketAddress address = http.getAddress();
    String host =
        address.getAddress().isAnyLocalAddress()
            ? "127.0.0.1"
            : address.getAddress().getHostAddress();
    String shown = host.contains(":") ? "[" + host + "]" : host;
    return URI.create(
        "http://" + shown + ":" + address.getPort() + state.options().provider().basePath());
  }

  /** Number of documents with ground truth. */
  public int knownDocuments() {
    return knownDocuments;
  }

  /** Options, limits, account and outages, which can be changed while the endpoint runs. */
  public EndpointState state() {
    return state;
  }

  /** Counters since the start, as {@code GET /simulator/stats} returns them. */
  public JsonNode statistics() {
    return admin.counters();
  }

  /** Changes the fault rates of later calls. */
  public void changeFaults(FaultRates rates) {
    state.change(options -> options.withFaults(rates));
  }

  private void handle(HttpExchange exchange) {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      boolean call = exchange.getRequestMethod().equals("POST") && !isAdmin(path(exchange));
      if (call) {
        statistics.began();
      }
      HttpReply reply;
      try {
        reply = reply(exchange, body);
        if (call) {
          listener.answered(
              new CallListener.Call(path(exchange), body, reply.status(), reply.body()));
        }
      } finally {
        if (call) {
          // A client may send its next call before this thread returns from sending the reply.
          statistics.ended();
        }
      }
      send(exchange, reply);
    } catch (IOException e) {
      // The client closed the connection, or a fault did.
      LOG.debug("call ended early", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String path(HttpExchange exchange) {
    return exchange.getRequestURI().getPath();
  }

  private static boolean isAdmin(String path) {
    return path.startsWith("/simulator/");
  }

  private HttpReply reply(HttpExchange exchange, String body)
      throws IOException, InterruptedException {
    String path = path(exchange);
    try {
      return isAdmin(path)
          ? HttpReply.ok(admin.answer(exchange.getRequestMethod(), path, json(body)))
          : route(exchange, path, body);
    } catch (ApiException e) {
      statistics.refused(e.status());
      Provider form = isAdmin(path) ? Provider.PATIENT : state.options().provider();
      return HttpReply.of(e.status(), e.headers(), ErrorBody.of(form, e));
    } catch (RuntimeException e) {
      LOG.error("the simulator itself failed on {}", exchange.getRequestURI(), e);
      return HttpReply.of(500, Map.of(), ApiException.serverError().toJson());
    }
  }

  private static JsonNode json(String body) {
    try {
      return body.isEmpty() ? JsonNodeFactory.instance.objectNode() : JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw ApiException.unreadable();
    }
  }

  private HttpReply route(HttpExchange exchange, String path, String body)
      throws IOException, InterruptedException {
    String method = exchange.getRequestMethod();
    Address address =
        Address.of(state.options().provider(), path, exchange.getRequestURI().getQuery());
    if (address == null) {
      if (method.equals("GET") && path.equals("/")) {
        return HttpReply.ok(label());
      }
      throw ApiException.unknownAddress(404, method, path);
    }
    String key = address.key(exchange.getRequestHeaders());
    CallHandler.Call call = new CallHandler.Call(key, address.deployment(), body);
    return switch (method + " " + address.operation()) {
      case "POST chat/completions" -> calls.chat(call);
      case "POST embeddings" -> calls.embeddings(call);
      case "GET models" -> {
        calls.authorize(key);
        yield HttpReply.ok(models());
      }
      default -> other(method, path, key, address.operation());
    };
  }

  private HttpReply other(String method, String path, @Nullable String key, String operation) {
    String prefix = "models/";
    if (method.equals("GET") && operation.startsWith(prefix)) {
      calls.authorize(key);
      String name = operation.substring(prefix.length());
      for (JsonNode model : models().path("data")) {
        if (model.path("id").asText().equals(name)) {
          return HttpReply.ok(model);
        }
      }
      throw ApiException.unknownModel(name);
    }
    boolean known =
        Stream.of("chat/completions", "embeddings", "models").anyMatch(operation::equals);
    throw ApiException.unknownAddress(known ? 405 : 404, method, path);
  }

  private ObjectNode models() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("object", "list");
    var data = json.putArray("data");
    new TreeSet<>(state.models())
        .forEach(name ->
            data.addObject()
                .put("id", name)
                .put("object", "model")
                .put("created", 0)
                .put("owned_by", "abacus-simulated"));
    return json;
  }

  private static ObjectNode label() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("simulated", true)
        .put(
            "about",
            "Simulated models: answers, prices and latencies say nothing about the real ones.");
  }

  private void send(HttpExchange exchange, HttpReply reply)
      throws IOException, InterruptedException {
    var headers = exchange.getResponseHeaders();
    headers.set("Content-Type", "application/json");
    headers.set("x-abacus-simulated", "true");
    reply.headers().forEach(headers::set);
    byte[] body = reply.body().getBytes(UTF_8);
    exchange.sendResponseHeaders(reply.status(), body.length);
    OutputStream out = exchange.getResponseBody();
    if (reply.fault() == FaultKind.STALL || reply.fault() == FaultKind.CUT) {
      out.write(body, 0, body.length / 2);
      out.flush();
      if (reply.fault() == FaultKind.STALL) {
        Thread.sleep(state.options().stall());
      }
      // Closing the exchange before all bytes are written closes the connection.
      return;
    }
    out.write(body);
  }

  /** Stops the endpoint and interrupts running calls. */
  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
