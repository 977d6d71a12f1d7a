package dev.abacus.topology.model.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** An endpoint that does what it is told, well or badly, one behaviour per request. */
public final class StubEndpoint implements AutoCloseable {

  /** What the endpoint does with one request. */
  @FunctionalInterface
  public interface Behaviour {
    void answer(HttpExchange exchange) throws IOException, InterruptedException;
  }

  /** A request as it arrived. */
  public record Received(String path, Headers headers, JsonNode body, int remotePort) {}

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpServer server;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final BlockingQueue<Behaviour> behaviours = new LinkedBlockingQueue<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  public final List<Received> received = new CopyOnWriteArrayList<>();
  public final CountDownLatch firstRequest = new CountDownLatch(1);

  public StubEndpoint() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(executor);
    server.createContext("/", this::handle);
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
  }

  public StubEndpoint will(Behaviour... next) {
    behaviours.addAll(List.of(next));
    return this;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      received.add(
          new Received(
              exchange.getRequestURI().getPath(),
              exchange.getRequestHeaders(),
              JSON.readTree(exchange.getRequestBody().readAllBytes()),
              exchange.getRemoteAddress().getPort()));
      firstRequest.countDown();
      Behaviour next = behaviours.poll();
      if (next == null) {
        next = respond(500, "{\"error\": {\"message\": \"nothing left to answer\"}}");
      }
      next.answer(exchange);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public static Behaviour respond(int status, String body, String... headers) {
    return exchange -> {
      for (int i = 0; i < headers.length; i += 2) {
        exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
      }
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    };
  }

  public static Behaviour error(int status, String code, String message) {
    return respond(
        status,
        JSON.createObjectNode()
            .set("error", JSON.valueToTree(Map.of("code", code, "message", message)))
            .toString());
  }

  /** A good answer with 100 tokens in, 40 of them cached, and 10 out. */
  public static Behaviour say(String text) {
    return completion(
        text,
        "stop",
        "{\"prompt_tokens\": 100, \"completion_tokens\": 10, \"total_tokens\": 110,"
            + " \"prompt_tokens_details\": {\"cached_tokens\": 40}}");
  }

  public static Behaviour completion(String text, String finishReason, String usage) {
    return respond(200, completionBody(text, finishReason, usage));
  }

  public static String completionBody(String text, String finishReason, String usage) {
    return """
    {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "usage": %s,
     "choices": [{"index": 0, "finish_reason": "%s",
       "message": {"role": "assistant", "content": %s},
       "logprobs": {"content": [{"token": "x", "logprob": -0.25, "bytes": [120], "top_logprobs": []}]}}]}
    """
        .formatted(usage, finishReason, JSON.getNodeFactory().textNode(text));
  }

  /** Takes the request and never answers. */
  public Behaviour stall() {
    return _ -> closing.await();
  }

  /** Sends the beginning of an answer and never the rest. */
  public Behaviour stallInTheBody() {
    return exchange -> {
      exchange.sendResponseHeaders(200, 1000);
      exchange.getResponseBody().write("{\"choices\": [".getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
      closing.await();
    };
  }

  /** Sends the beginning of an answer and hangs up. */
  public static Behaviour hangUpInTheBody() {
    return exchange -> {
      exchange.sendResponseHeaders(200, 1000);
      exchange.getResponseBody().write("{\"choices\": [".getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
    };
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    executor.shutdownNow();
  }
}
