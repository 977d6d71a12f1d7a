package dev.abacus.deploy.governor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/**
 * An OpenAI-compatible endpoint whose models do as they are told: how long they take, how many
 * tokens they write, what they answer, and whether they fail. A judge finds the answer {@link
 * #WRONG} poor and any other good.
 */
final class ObedientModels implements AutoCloseable {

  static final String WRONG = "off-the-mark";
  static final double GOOD_SCORE = 0.9;
  static final double POOR_SCORE = 0.3;

  private static final ObjectMapper JSON = new ObjectMapper();

  /** How a model behaves. */
  record Manner(Duration delay, int tokens, String answer, boolean fails) {
    static final Manner USUAL = new Manner(Duration.ofMillis(20), 100, "right", false);

    Manner taking(Duration longer) {
      return new Manner(longer, tokens, answer, fails);
    }

    Manner writing(int more) {
      return new Manner(delay, more, answer, fails);
    }

    Manner answering(String other) {
      return new Manner(delay, tokens, other, fails);
    }

    Manner failing() {
      return new Manner(delay, tokens, answer, true);
    }
  }

  private final Map<String, Manner> manners = new ConcurrentHashMap<>();
  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  ObedientModels() throws IOException {
    http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
    http.createContext("/v1/chat/completions", this::handle);
    http.setExecutor(threads);
    http.start();
  }

  URI baseUri() {
    return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/v1");
  }

  void behave(String model, Manner manner) {
    manners.put(model, manner);
  }

  private void handle(HttpExchange exchange) {
    try (exchange) {
      JsonNode request = JSON.readTree(exchange.getRequestBody());
      String model = request.path("model").asText();
      Manner manner = manners.getOrDefault(model, Manner.USUAL);
      LockSupport.parkNanos(manner.delay().toNanos());
      byte[] body =
          manner.fails()
              ? "{\"error\": {\"message\": \"told to fail\"}}".getBytes(StandardCharsets.UTF_8)
              : JSON.writeValueAsBytes(answer(model, request, manner));
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(manner.fails() ? 500 : 200, body.length);
      exchange.getResponseBody().write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode answer(String model, JsonNode request, Manner manner) {
    JsonNode schema = request.path("response_format").path("json_schema").path("schema");
    ObjectNode content = JSON.createObjectNode();
    for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
      if (property.getKey().equals("score")) {
        boolean poor = request.path("messages").toString().contains(WRONG);
        content.put("score", poor ? POOR_SCORE : GOOD_SCORE);
      } else {
        content.put(property.getKey(), manner.answer());
      }
    }
    ObjectNode answer =
        JSON.createObjectNode()
            .put("id", "chatcmpl-1")
            .put("object", "chat.completion")
            .put("created", 1)
            .put("model", model);
    ObjectNode choice = answer.putArray("choices").addObject();
    choice.put("index", 0).put("finish_reason", "stop");
    choice.putObject("message").put("role", "assistant").put("content", content.toString());
    answer
        .putObject("usage")
        .put("prompt_tokens", 1)
        .put("completion_tokens", manner.tokens())
        .put("total_tokens", manner.tokens() + 1);
    return answer;
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdownNow();
  }
}
