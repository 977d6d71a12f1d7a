package dev.abacus.topology.model.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.abacus.schemas.catalogue.TokenCounts;
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
import org.jspecify.annotations.Nullable;

/** A fake OpenAI-compatible endpoint on a local port. A test sets its behaviour per request. */
final class StubEndpoint implements AutoCloseable {

  /** The reaction to one request. */
  @FunctionalInterface
  interface Behaviour {
    void answer(HttpExchange exchange) throws IOException, InterruptedException;
  }

  /** A received request. */
  record Received(
      String path, @Nullable String query, Headers headers, JsonNode body, int remotePort) {}

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpServer server;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final BlockingQueue<Behaviour> behaviours = new LinkedBlockingQueue<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  final List<Received> received = new CopyOnWriteArrayList<>();
  final CountDownLatch firstRequest = new CountDownLatch(1);

  StubEndpoint() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(executor);
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
  }

  StubEndpoint will(Behaviour... next) {
    behaviours.addAll(List.of(next));
    return this;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      received.add(
          new Received(
              exchange.getRequestURI().getPath(),
              exchange.getRequestURI().getRawQuery(),
              exchange.getRequestHeaders(),
              JSON.readTree(exchange.getRequestBody().readAllBytes()),
              exchange.getRemoteAddress().getPort()));
      firstRequest.countDown();
      Behaviour next = behaviours.poll();
      if (next == null) {
        next = respond(500, "{\"error\": {\"message\": \"no behaviour left\"}}");
      }
      next.answer(exchange);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static Behaviour respond(int status, String body, String... headers) {
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

  static Behaviour error(int status, String code, String message) {
    return respond(
        status,
        JSON.createObjectNode()
            .set("error", JSON.valueToTree(Map.of("code", code, "message", message)))
            .toString());
  }

  /** A complete answer. */
  static Behaviour say(String text) {
    return completion(text, "stop", TokenCounts.of(100, 40, 10));
  }

  static Behaviour completion(String text, String finishReason, @Nullable TokenCounts usage) {
    String body =
        """
        {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "usage": %s,
         "choices": [{"index": 0, "finish_reason": "%s",
           "message": {"role": "assistant", "content": %s},
           "logprobs": {"content": [{"token": "x", "logprob": -0.25, "bytes": [120], "top_logprobs": []}]}}]}
        """
            .formatted(json(usage), finishReason, JSON.getNodeFactory().textNode(text));
    return respond(200, body);
  }

  private static String json(@Nullable TokenCounts usage) {
    return usage == null
        ? "null"
        : """
        {"prompt_tokens": %d, "completion_tokens": %d, "total_tokens": %d,
         "prompt_tokens_details": {"cached_tokens": %d}}
        """
            .formatted(
                usage.input(), usage.output(), usage.input() + usage.output(), usage.cachedInput());
  }

  /** Takes the request and sends nothing. */
  Behaviour stall() {
    return _ -> closing.await();
  }

  /** Sends the beginning of an answer, and nothing more. */
  Behaviour stallInTheBody() {
    return exchange -> {
      exchange.sendResponseHeaders(200, 1000);
      exchange.getResponseBody().write("{\"choices\": [".getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
      closing.await();
    };
  }

  /** Sends the beginning of an answer and closes the connection. */
  static Behaviour hangUpInTheBody() {
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
