package dev.abacus.deploy.evaluation.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.abacus.deploy.simulator.answering.Answer;
import dev.abacus.deploy.simulator.tokens.Tokenizer;
import dev.abacus.deploy.simulator.wire.ApiException;
import dev.abacus.deploy.simulator.wire.ChatRequest;
import dev.abacus.deploy.simulator.wire.ChatResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * An OpenAI-compatible endpoint on a free port of this machine, one virtual thread per call. It
 * lists its models; a subclass answers all other requests, in the JSON of the simulator.
 */
public abstract class ScriptedEndpoint implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<String> models;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Tokenizer tokenizer = new Tokenizer();

  protected ScriptedEndpoint(Collection<String> models) throws IOException {
    this.models = List.copyOf(models);
    this.server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
  }

  /**
   * Answers one request, on many threads; null ends its connection without an answer.
   *
   * @throws ApiException if the request is refused
   */
  protected abstract @Nullable JsonNode answer(String path, ObjectNode request)
      throws InterruptedException;

  /** A chat completion with one choice, whatever its number of tokens. */
  protected final ObjectNode completion(
      String id, ChatRequest request, String answer, ChatResponse.Usage usage) {
    return ChatResponse.of(
        id,
        System.currentTimeMillis() / 1000,
        request,
        List.of(new Answer(answer, List.of(), 0)),
        usage,
        tokenizer);
  }

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
      byte[] request = exchange.getRequestBody().readAllBytes();
      String path = exchange.getRequestURI().getPath();
      try {
        JsonNode answer =
            path.endsWith("/models")
                ? listed()
                : answer(path, JSON.readValue(request, ObjectNode.class));
        if (answer != null) {
          send(exchange, 200, answer);
        }
      } catch (ApiException e) {
        e.headers().forEach(exchange.getResponseHeaders()::add);
        send(exchange, e.status(), e.toJson());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(HttpExchange exchange, int status, JsonNode body) throws IOException {
    byte[] bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("content-type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private ObjectNode listed() {
    ObjectNode list = JSON.createObjectNode().put("object", "list");
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
