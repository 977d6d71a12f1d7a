package dev.abacus.deploy.evaluation.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * An OpenAI-compatible endpoint on a free port of this machine, one virtual thread per call. It
 * lists its models; a subclass answers all other requests.
 */
public abstract class ScriptedEndpoint implements AutoCloseable {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** What a request gets. */
  public record Reply(int status, Map<String, String> headers, JsonNode body) {

    /** A reply without further headers. */
    public Reply(int status, JsonNode body) {
      this(status, Map.of(), body);
    }

    /** The refusal of a request. */
    public static Reply error(int status, Map<String, String> headers, String code, String text) {
      ObjectNode error = JSON.objectNode();
      error.putObject("error").put("message", text).put("type", code).put("code", code);
      return new Reply(status, headers, error);
    }

    /**
     * A chat completion.
     *
     * @param input tokens of the prompt
     * @param output tokens of the answer
     */
    public static Reply completion(String id, String model, String answer, int input, int output) {
      ObjectNode response =
          JSON.objectNode()
              .put("id", id)
              .put("object", "chat.completion")
              .put("created", System.currentTimeMillis() / 1000)
              .put("model", model);
      ObjectNode choice = response.putArray("choices").addObject();
      choice.put("index", 0).put("finish_reason", "stop");
      choice.putObject("message").put("role", "assistant").put("content", answer);
      response
          .putObject("usage")
          .put("prompt_tokens", input)
          .put("completion_tokens", output)
          .put("total_tokens", input + output);
      return new Reply(200, response);
    }
  }

  private final List<String> models;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  protected ScriptedEndpoint(Collection<String> models) throws IOException {
    this.models = List.copyOf(models);
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
  }

  /** Answers one request, on many threads; null ends its connection without an answer. */
  protected abstract @Nullable Reply answer(String path, byte[] body)
      throws IOException, InterruptedException;

  /** Begins to answer. */
  public final void start() {
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /**
   * The base URL.
   *
   * @param caller the first segment of the path of its requests, such as {@code worker-1}; may be
   *     empty
   */
  public final URI baseUri(String caller) {
    String prefix = caller.isEmpty() ? "" : "/" + caller;
    return URI.create("http://127.0.0.1:%d%s/v1".formatted(server.getAddress().getPort(), prefix));
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String path = exchange.getRequestURI().getPath();
      Reply reply = path.endsWith("/models") ? new Reply(200, listed()) : answer(path, body);
      if (reply != null) {
        byte[] bytes = reply.body.toString().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("content-type", "application/json");
        reply.headers.forEach(exchange.getResponseHeaders()::add);
        exchange.sendResponseHeaders(reply.status, bytes.length);
        exchange.getResponseBody().write(bytes);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ObjectNode listed() {
    ObjectNode list = JSON.objectNode().put("object", "list");
    ArrayNode data = list.putArray("data");
    models.forEach(model -> data.addObject().put("id", model).put("object", "model"));
    return list;
  }

  @Override
  public final void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
