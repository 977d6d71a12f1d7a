package dev.abacus.deploy.evaluation.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.abacus.deploy.evaluation.chaos.judge.History.Call;
import dev.abacus.deploy.evaluation.chaos.judge.Shape;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An OpenAI-compatible endpoint with deterministic answers that logs every call. The first segment
 * of the path names the worker. A document names itself by {@code doc:PROGRAM:NUMBER;}, an
 * instruction its plan by {@code (plan MARKER)}; answers repeat both, so that the judge sees which
 * plan wrote a field.
 */
final class ModelServer implements AutoCloseable {

  /** How the provider behaves. */
  enum Mode {
    NORMAL,
    SERVER_ERRORS,
    RATE_LIMIT,
    LOST_CONNECTIONS,
    SLOW,
    SCATTERED_REFUSALS
  }

  /** The embedder for references. */
  static final String EMBEDDER = "text-embedding-3-small";

  private static final int DIMENSIONS = 256;
  private static final Pattern DOCUMENT = Pattern.compile("doc:([a-z-]+):(\\d+);");
  private static final Pattern PLAN = Pattern.compile("\\(plan (\\d+)\\)");
  private static final int INPUT_TOKENS = 200;
  private static final int OUTPUT_TOKENS = 20;

  /** USD of one call of a model, by the prices of the built-in catalogue. */
  private static final Map<String, Double> USD =
      Map.of(
          "gpt-4o-mini", (INPUT_TOKENS * 0.15 + OUTPUT_TOKENS * 0.6) / 1e6,
          "gpt-4.1-nano", (INPUT_TOKENS * 0.1 + OUTPUT_TOKENS * 0.4) / 1e6);

  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, Shape> shapes;
  private final long latencyMillis;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ConcurrentLinkedQueue<Call> calls = new ConcurrentLinkedQueue<>();
  private final AtomicLong requests = new AtomicLong();
  private volatile Mode mode = Mode.NORMAL;

  private ModelServer(Map<String, Shape> shapes, long latencyMillis, HttpServer server) {
    this.shapes = Map.copyOf(shapes);
    this.latencyMillis = latencyMillis;
    this.server = server;
  }

  /**
   * Starts an endpoint on a free port.
   *
   * @param shapes what each program must do, which the answers follow
   * @param latencyMillis mean latency of a call
   */
  static ModelServer start(Map<String, Shape> shapes, long latencyMillis) throws IOException {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
    ModelServer models = new ModelServer(shapes, latencyMillis, http);
    http.setExecutor(models.threads);
    http.createContext("/", models::handle);
    http.start();
    return models;
  }

  /** Base URL for one process of a worker. */
  URI baseUri(String process) {
    return URI.create(
        "http://127.0.0.1:%d/%s/v1".formatted(server.getAddress().getPort(), process));
  }

  void behave(Mode next) {
    mode = next;
  }

  /** All calls so far. */
  List<Call> calls() {
    return List.copyOf(calls);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      byte[] request = exchange.getRequestBody().readAllBytes();
      if (path.endsWith("/models")) {
        reply(exchange, 200, models());
      } else if (path.endsWith("/chat/completions")) {
        chat(exchange, path.split("/", -1)[1], request);
      } else if (path.endsWith("/embeddings")) {
        reply(exchange, 200, embeddings(json.readTree(request)));
      } else {
        reply(exchange, 404, json.createObjectNode());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ObjectNode models() {
    ObjectNode list = json.createObjectNode().put("object", "list");
    ArrayNode data = list.putArray("data");
    Stream.concat(USD.keySet().stream(), Stream.of(EMBEDDER))
        .forEach(model -> data.addObject().put("id", model).put("object", "model"));
    return list;
  }

  /** Equal texts have equal vectors; those of other texts are nearly orthogonal. */
  private ObjectNode embeddings(JsonNode request) {
    JsonNode input = request.path("input");
    ObjectNode response = json.createObjectNode().put("object", "list").put("model", EMBEDDER);
    ArrayNode data = response.putArray("data");
    for (JsonNode text : input.isArray() ? input : json.createArrayNode().add(input)) {
      ObjectNode entry = data.addObject().put("object", "embedding").put("index", data.size() - 1);
      ArrayNode vector = entry.putArray("embedding");
      new Random(text.asText().hashCode()).doubles(DIMENSIONS, -1, 1).forEach(vector::add);
    }
    response
        .putObject("usage")
        .put("prompt_tokens", INPUT_TOKENS)
        .put("total_tokens", INPUT_TOKENS);
    return response;
  }

  private void chat(HttpExchange exchange, String worker, byte[] bytes)
      throws IOException, InterruptedException {
    long started = System.currentTimeMillis();
    long turn = requests.incrementAndGet();
    Mode now = mode;
    if (fails(now, turn)) {
      fail(exchange, now);
      return;
    }
    JsonNode request = json.readTree(bytes);
    String system = request.path("messages").path(0).toString();
    Matcher document = DOCUMENT.matcher(request.path("messages").toString());
    Matcher plan = PLAN.matcher(system);
    String program = document.find() ? document.group(1) : "";
    int number = program.isEmpty() ? -1 : Integer.parseInt(document.group(2));
    String model = request.path("model").asText();
    String marker =
        "plan=%s;model=%s;n=%d".formatted(plan.find() ? plan.group(1) : "0", model, number);
    JsonNode schema = request.path("response_format").path("json_schema").path("schema");
    String answer = new Answer(shapes.get(program), number, marker).of(schema, 0).toString();
    long wait = latencyMillis / 2 + turn * 7919 % Math.max(1, latencyMillis);
    Thread.sleep(now == Mode.SLOW ? 10 * wait : wait);
    ObjectNode response = response(model, answer, turn);
    // The provider counts an answer that it has finished, whether or not it can be delivered.
    calls.add(
        new Call(
            program,
            shapes.containsKey(program) ? number : -1,
            worker,
            digest(bytes),
            started,
            System.currentTimeMillis(),
            true,
            USD.getOrDefault(model, 0.0)));
    reply(exchange, 200, response);
  }

  /** Most calls fail, so that a circuit opens, and some do not; or 4 % of them are refused. */
  private static boolean fails(Mode mode, long turn) {
    return switch (mode) {
      case NORMAL, SLOW -> false;
      case SERVER_ERRORS, RATE_LIMIT, LOST_CONNECTIONS -> turn % 5 != 0;
      case SCATTERED_REFUSALS -> turn % 25 == 0;
    };
  }

  private void fail(HttpExchange exchange, Mode now) throws IOException {
    switch (now) {
      case LOST_CONNECTIONS -> {
        // Closing without a response resets the connection.
      }
      case RATE_LIMIT, SCATTERED_REFUSALS -> {
        if (now == Mode.RATE_LIMIT) {
          exchange.getResponseHeaders().add("retry-after", "1");
        }
        reply(exchange, 429, error("Rate limit reached", "rate_limit_exceeded"));
      }
      case NORMAL, SLOW, SERVER_ERRORS ->
          reply(exchange, 503, error("The server is overloaded", "server_error"));
    }
  }

  private ObjectNode error(String message, String code) {
    ObjectNode error = json.createObjectNode();
    error.putObject("error").put("message", message).put("type", code).put("code", code);
    return error;
  }

  private ObjectNode response(String model, String answer, long turn) {
    ObjectNode response =
        json.createObjectNode()
            .put("id", "chatcmpl-" + turn)
            .put("object", "chat.completion")
            .put("created", System.currentTimeMillis() / 1000)
            .put("model", model);
    ObjectNode choice = response.putArray("choices").addObject();
    choice.put("index", 0).put("finish_reason", "stop");
    choice.putObject("message").put("role", "assistant").put("content", answer);
    response
        .putObject("usage")
        .put("prompt_tokens", INPUT_TOKENS)
        .put("completion_tokens", OUTPUT_TOKENS)
        .put("total_tokens", INPUT_TOKENS + OUTPUT_TOKENS);
    return response;
  }

  private static void reply(HttpExchange exchange, int status, JsonNode body) throws IOException {
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("content-type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static String digest(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 12);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  /** Fills a response schema: texts hold the marker, truth values and lists follow the number. */
  private final class Answer {

    private final int outputs;
    private final String marker;

    Answer(@org.jspecify.annotations.Nullable Shape shape, int number, String marker) {
      this.outputs =
          shape instanceof Shape.PerDocument each && number >= 0
              ? each.outputs().get(number % each.modulus())
              : 1;
      this.marker = marker;
    }

    JsonNode of(JsonNode schema, int item) {
      JsonNode type = schema.path("type");
      return switch (type.isArray() ? type.path(0).asText() : type.asText()) {
        case "object" -> {
          ObjectNode object = json.createObjectNode();
          schema
              .path("properties")
              .properties()
              .forEach(field -> object.set(field.getKey(), of(field.getValue(), item)));
          yield object;
        }
        case "array" -> {
          ArrayNode array = json.createArrayNode();
          for (int i = 0; i < outputs; i++) {
            array.add(of(schema.path("items"), i));
          }
          yield array;
        }
        case "boolean" -> json.getNodeFactory().booleanNode(outputs > 0);
        case "integer" -> json.getNodeFactory().numberNode(item);
        case "number" -> json.getNodeFactory().numberNode(1);
        default -> json.getNodeFactory().textNode(marker);
      };
    }
  }
}
