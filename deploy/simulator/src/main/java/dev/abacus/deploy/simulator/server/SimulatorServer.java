package dev.abacus.deploy.simulator.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.abacus.deploy.simulator.answering.SimulatedModel;
import dev.abacus.deploy.simulator.fault.FaultInjector;
import dev.abacus.deploy.simulator.fault.FaultKind;
import dev.abacus.deploy.simulator.fault.FaultRates;
import dev.abacus.deploy.simulator.skill.ModelProfiles;
import dev.abacus.deploy.simulator.tokens.Tokenizer;
import dev.abacus.deploy.simulator.truth.KnownDocuments;
import dev.abacus.deploy.simulator.wire.ApiException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
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
  private final ModelProfiles catalogue;
  private final CallStatistics statistics;
  private final FaultInjector faults;
  private final Duration stall;

  /**
   * Settings of the server.
   *
   * @param address address to listen on
   * @param speed divides every wait
   * @param latency fixed latency, or null for the modelled one
   * @param seed seed of all random effects
   * @param apiKey the required key, or null to accept any
   * @param stall how long a stalled call waits
   */
  public record Settings(
      InetSocketAddress address,
      double speed,
      @Nullable Duration latency,
      long seed,
      @Nullable String apiKey,
      Duration stall) {}

  private SimulatorServer(
      HttpServer http,
      CallHandler calls,
      ModelProfiles catalogue,
      CallStatistics statistics,
      FaultInjector faults,
      Duration stall) {
    this.http = http;
    this.calls = calls;
    this.catalogue = catalogue;
    this.statistics = statistics;
    this.faults = faults;
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
      ModelProfiles catalogue,
      KnownDocuments answers,
      FaultInjector faults,
      Clock clock)
      throws IOException {
    tune();
    HttpServer http = HttpServer.create(settings.address(), BACKLOG);
    CallStatistics statistics = new CallStatistics();
    Tokenizer tokenizer = new Tokenizer();
    CallHandler calls =
        new CallHandler(
            new ChatService(
                catalogue,
                new SimulatedModel(answers, settings.seed()),
                tokenizer,
                statistics,
                clock),
            new EmbeddingService(catalogue, tokenizer, statistics),
            catalogue,
            statistics,
            faults,
            new SimulatedLatency(settings.speed(), settings.latency()),
            settings.apiKey());
    SimulatorServer server =
        new SimulatorServer(http, calls, catalogue, statistics, faults, settings.stall());
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
      byte[] body = exchange.getRequestBody().readAllBytes();
      send(exchange, reply(exchange, body));
    } catch (IOException e) {
      // The client closed the connection, or a fault did.
      LOG.debug("call ended early", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpReply reply(HttpExchange exchange, byte[] body) throws InterruptedException {
    try {
      return route(exchange, body);
    } catch (ApiException e) {
      statistics.refused();
      return HttpReply.of(e.status(), e.headers(), e.toJson());
    } catch (RuntimeException e) {
      LOG.error("the simulator itself failed on {}", exchange.getRequestURI(), e);
      return HttpReply.of(500, Map.of(), ApiException.serverError().toJson());
    }
  }

  private HttpReply route(HttpExchange exchange, byte[] body) throws InterruptedException {
    String path = exchange.getRequestURI().getPath();
    String method = exchange.getRequestMethod();
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    return switch (method + " " + path) {
      case "POST /v1/chat/completions" -> calls.chat(authorization, body);
      case "POST /v1/embeddings" -> calls.embeddings(authorization, body);
      case "GET /v1/models" -> HttpReply.ok(models());
      case "GET /simulator/stats" -> HttpReply.ok(statistics.toJson());
      case "GET /simulator/faults" -> HttpReply.ok(faults.rates().toJson());
      case "POST /simulator/faults" -> changeFaults(body);
      case "GET /" -> HttpReply.ok(label());
      default -> other(method, path);
    };
  }

  private HttpReply other(String method, String path) {
    String prefix = "/v1/models/";
    if (method.equals("GET") && path.startsWith(prefix)) {
      String name = path.substring(prefix.length());
      for (JsonNode model : models().path("data")) {
        if (model.path("id").asText().equals(name)) {
          return HttpReply.ok(model);
        }
      }
      throw ApiException.unknownModel(name);
    }
    boolean known =
        Stream.of("/v1/chat/completions", "/v1/embeddings", "/v1/models").anyMatch(path::equals);
    throw ApiException.unknownAddress(known ? 405 : 404, method, path);
  }

  private ObjectNode models() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("object", "list");
    var data = json.putArray("data");
    Stream.concat(
            catalogue.models().stream().map(model -> model.name()),
            catalogue.embeddings().stream().map(model -> model.name()))
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

  private HttpReply changeFaults(byte[] body) {
    try {
      faults.change(FaultRates.of(JSON.readTree(new String(body, StandardCharsets.UTF_8))));
      return HttpReply.ok(faults.rates().toJson());
    } catch (JsonProcessingException e) {
      throw ApiException.unreadable();
    } catch (IllegalArgumentException e) {
      throw ApiException.invalid(String.valueOf(e.getMessage()), null, null);
    }
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
