package dev.abacus.deploy.evaluation.learning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An OpenAI-compatible endpoint that gives the answers of a {@link Teacher}, at most so many a
 * second, and counts its calls by message.
 */
final class TeacherEndpoint implements AutoCloseable {

  static final String MODEL = "gpt-4o-mini";
  static final String INTENT = "intent";

  private static final Pattern TEXT =
      Pattern.compile("<field name=\"text\">(.*?)</field>", Pattern.DOTALL);
  private static final int INPUT_TOKENS = 700;
  private static final int OUTPUT_TOKENS = 10;

  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, StreamMessage> byText = new HashMap<>();
  private final Teacher teacher;
  private final long nanosPerCall;
  private final AtomicLong next = new AtomicLong(System.nanoTime());
  private final AtomicLong calls = new AtomicLong();
  private final Set<String> asked = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  private TeacherEndpoint(
      Collection<StreamMessage> messages, Teacher teacher, double rate, HttpServer server) {
    messages.forEach(message -> byText.put(message.text(), message));
    this.teacher = teacher;
    this.nanosPerCall = Math.round(1e9 / rate);
    this.server = server;
  }

  /**
   * Starts an endpoint on a free port.
   *
   * @param rate calls per second
   */
  static TeacherEndpoint start(Collection<StreamMessage> messages, Teacher teacher, double rate)
      throws IOException {
    HttpServer http =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
    TeacherEndpoint endpoint = new TeacherEndpoint(messages, teacher, rate, http);
    http.setExecutor(endpoint.threads);
    http.createContext("/", endpoint::handle);
    http.start();
    return endpoint;
  }

  URI baseUri() {
    return URI.create("http://127.0.0.1:%d/v1".formatted(server.getAddress().getPort()));
  }

  /** Calls so far, repeated ones included. */
  long calls() {
    return calls.get();
  }

  /** Ids of the messages that were asked about. */
  Set<String> asked() {
    return Set.copyOf(asked);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] request = exchange.getRequestBody().readAllBytes();
      if (exchange.getRequestURI().getPath().endsWith("/models")) {
        ObjectNode list = json.createObjectNode().put("object", "list");
        list.putArray("data").addObject().put("id", MODEL).put("object", "model");
        reply(exchange, 200, list);
      } else {
        chat(exchange, json.readTree(request));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void chat(HttpExchange exchange, JsonNode request)
      throws IOException, InterruptedException {
    StreamMessage message = message(request);
    if (message == null) {
      ObjectNode error = json.createObjectNode();
      error.putObject("error").put("message", "no message of the stream is in the prompt");
      reply(exchange, 400, error);
      return;
    }
    long now = System.nanoTime();
    long turn = next.updateAndGet(free -> Math.max(free, now) + nanosPerCall);
    TimeUnit.NANOSECONDS.sleep(turn - now);
    calls.incrementAndGet();
    asked.add(message.id());
    ObjectNode response =
        json.createObjectNode()
            .put("id", "call")
            .put("object", "chat.completion")
            .put("model", MODEL);
    ObjectNode choice = response.putArray("choices").addObject();
    choice.put("index", 0).put("finish_reason", "stop");
    choice
        .putObject("message")
        .put("role", "assistant")
        .put("content", json.createObjectNode().put(INTENT, teacher.answer(message)).toString());
    response
        .putObject("usage")
        .put("prompt_tokens", INPUT_TOKENS)
        .put("completion_tokens", OUTPUT_TOKENS)
        .put("total_tokens", INPUT_TOKENS + OUTPUT_TOKENS);
    reply(exchange, 200, response);
  }

  private @Nullable StreamMessage message(JsonNode request) {
    for (JsonNode message : request.path("messages")) {
      JsonNode content = message.path("content");
      String text = content.isTextual() ? content.textValue() : content.findPath("text").asText();
      Matcher field = TEXT.matcher(text);
      if (field.find()) {
        return byText.get(
            field
                .group(1)
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&amp;", "&"));
      }
    }
    return null;
  }

  private static void reply(HttpExchange exchange, int status, JsonNode body) throws IOException {
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("content-type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
