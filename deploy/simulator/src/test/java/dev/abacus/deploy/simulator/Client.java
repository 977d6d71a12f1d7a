package dev.abacus.deploy.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** A plain HTTP client of an endpoint. */
final class Client implements AutoCloseable {

  private final URI base;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  Client(SimulatedEndpoint endpoint) {
    this.base = endpoint.baseUri();
  }

  HttpResponse<String> post(String path, String body, String... headers) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + path).normalize())
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return send(request.build());
  }

  HttpResponse<String> get(String path, String... headers) throws IOException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return send(request.build());
  }

  /** The response to a request to one of the simulator's own paths. */
  String admin(String path, String body) throws IOException {
    return send(HttpRequest.newBuilder(base.resolve("/simulator/" + path))
            .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8))
            .build())
        .body();
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException {
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The response to a request. */
  JsonNode chat(RequestBuilder ask) {
    try {
      return RequestBuilder.parse(post("/chat/completions", ask.json().toString()).body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The text of the answer. */
  String text(RequestBuilder ask) {
    return chat(ask).path("choices").path(0).path("message").path("content").asText();
  }

  /** The JSON of the answer, or an empty object if it has a format error. */
  JsonNode answer(RequestBuilder ask) {
    String text = text(ask);
    return text.startsWith("{") && text.endsWith("}")
        ? RequestBuilder.parse(text)
        : JsonNodeFactory.instance.objectNode();
  }

  @Override
  public void close() {
    http.close();
  }
}
