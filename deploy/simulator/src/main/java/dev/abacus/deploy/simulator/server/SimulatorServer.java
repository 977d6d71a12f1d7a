package dev.abacus.deploy.simulator.server;

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
import dev.abacus.deploy.simulator.provider.ErrorBody;
import dev.abacus.deploy.simulator.provider.Provider;
import dev.abacus.deploy.simulator.skill.ModelProfiles;
import dev.abacus.deploy.simulator.tokens.Tokenizer;
import dev.abacus.deploy.simulator.truth.KnownDocuments;
import dev.abacus.deploy.simulator.wire.ApiException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP server: one virtual thread per call, tuned for thousands of concurrent calls. */
public final class SimulatorServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(SimulatorServer.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int BACKLOG = 8192;

  private final HttpServer http;
  private final ExecutorService threads;
  private final CallHandler calls;
  private final AdminService admin;
  private final EndpointState state;
  private final CallStatistics statistics;
  private final CallListener listener;
  private final Duration stall;

  /**
   * Settings of the server.
   *
   * @param address address to listen on
   * @param speed divides every wait
   * @param latency fixed latency, or null for the modelled one
   * @param stall how long a stalled call waits
   * @param slow how long a slow call takes
   * @param seed seed of all random effects
   * @param contextTokens context window of all models; 0 for that of each model
   */
  public record Settings(
      InetSocketAddress address,
      double speed,
      @Nullable Duration latency,
      Duration stall,
      Duration slow,
      long seed,
      int contextTokens) {}

  private SimulatorServer(
      HttpServer http,
      CallHandler calls,
      EndpointState state,
      CallStatistics statistics,
      CallListener listener,
      Duration stall) {
    this.http = http;
    this.calls = calls;
    this.admin = new AdminService(state, statistics);
    this.state = state;
    this.statistics = statistics;
    this.listener = listener;
    this.stall = stall;
    this.threads = Executors.newVirtualThreadPerTaskExecutor();
  }

  /**
   * Starts the server.
   *
   * @throws IOException if the port is not available
   */
  public static SimulatorServer start(
      Settings settings,
      KnownDocuments answers,
      EndpointState state,
      CallListener listener,
      Clock clock)
      throws IOException {
    tune();
    HttpServer http = HttpServer.create(settings.address(), BACKLOG);
    CallStatistics statistics = new CallStatistics();
    Tokenizer tokenizer = new Tokenizer();
    ModelProfiles catalogue = ModelProfiles.bundled();
    CallHandler calls =
        new CallHandler(
            new ChatService(
                catalogue,
                new SimulatedModel(answers, settings.seed()),
                tokenizer,
                statistics,
                clock,
                new ChatService.Style(
                    state.provider(), settings.contextTokens(), settings.speed(), state::filtered)),
            new EmbeddingService(catalogue, tokenizer, statistics),
            catalogue,
            statistics,
            state,
            new SimulatedLatency(settings.speed(), settings.latency(), settings.slow()),
            clock);
    SimulatorServer server =
        new SimulatorServer(http, calls, state, statistics, listener, settings.stall());
    http.createContext("/", server::handle);
    http.setExecutor(server.threads);
    http.start();
    return server;
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

  /** Counters since the start. */
  public ObjectNode statistics() {
    return admin.statistics();
  }

  /** Scheme, host and port. */
  public String origin() {
    InetSocketAddress address = http.getAddress();
    String host =
        address.getAddress().isAnyLocalAddress()
            ? "127.0.0.1"
            : address.getAddress().getHostAddress();
    return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
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
              new CallListener.Call(path(exchange), body, reply.status(), reply.body().text()));
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

  private HttpReply reply(HttpExchange exchange, String body) throws InterruptedException {
    String path = path(exchange);
    try {
      return isAdmin(path)
          ? HttpReply.ok(admin.answer(exchange.getRequestMethod(), path, json(body)))
          : route(exchange, path, body);
    } catch (ApiException e) {
      statistics.refused(e.status());
      Provider form = isAdmin(path) ? Provider.PATIENT : state.provider();
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
      throws InterruptedException {
    String method = exchange.getRequestMethod();
    Address address = Address.of(state.provider(), path, exchange.getRequestURI().getQuery());
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
    byte[] body = reply.body().bytes();
    exchange.sendResponseHeaders(reply.status(), body.length);
    OutputStream out = exchange.getResponseBody();
    if (reply.fault() == FaultKind.STALL || reply.fault() == FaultKind.CUT) {
      out.write(reply.body().half());
      out.flush();
      if (reply.fault() == FaultKind.STALL) {
        SimulatedLatency.stall(stall);
      }
      // Closing the exchange before all bytes are written closes the connection.
      return;
    }
    out.write(body);
  }

  /** Stops the server and interrupts running calls. */
  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
