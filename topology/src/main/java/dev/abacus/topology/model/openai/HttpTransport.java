package dev.abacus.topology.model.openai;

import dev.abacus.topology.model.ModelRequest;
import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * HTTP for langchain4j, in place of its own client. Speaks HTTP/1.1 only, because the upgrade to
 * HTTP/2 that the JDK offers by default is answered with 400 by vLLM and uvicorn; holds every call
 * to its {@link Deadline}, body included; keeps connections; and keeps Retry-After, which
 * langchain4j's client drops.
 */
final class HttpTransport implements HttpClient {

  /** Far above any answer; an endpoint gone mad must not fill the memory until the deadline. */
  private static final long MOST_BYTES = 64L << 20;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private final java.net.http.HttpClient client;
  private final Clock clock;

  HttpTransport(Clock clock) {
    this.clock = clock;
    this.client =
        java.net.http.HttpClient.newBuilder()
            .version(Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
  }

  /** This transport in the shape that langchain4j's builders take; its timeouts are not used. */
  HttpClientBuilder asBuilder() {
    return new Shared(this);
  }

  @Override
  public SuccessfulHttpResponse execute(HttpRequest request) {
    HttpResponse<byte[]> response = send(request, Deadline.CURRENT.get());
    int status = response.statusCode();
    if (status < 200 || status > 299) {
      String body = new String(response.body(), StandardCharsets.UTF_8);
      throw new ServerRefusal(status, body, RetryAfter.of(response.headers(), clock));
    }
    return SuccessfulHttpResponse.builder()
        .statusCode(status)
        .headers(response.headers().map())
        .body(response.body())
        .build();
  }

  private HttpResponse<byte[]> send(HttpRequest request, Deadline deadline) {
    CompletableFuture<HttpResponse<byte[]>> exchange =
        client.sendAsync(
            toJdk(request), BodyHandlers.limiting(BodyHandlers.ofByteArray(), MOST_BYTES));
    try {
      return exchange.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new Deadline.Exceeded(deadline);
    } catch (InterruptedException e) {
      throw new Interrupted(e);
    } catch (ExecutionException e) {
      throw new Broken(e.getCause() == null ? e : e.getCause());
    } finally {
      exchange.cancel(
          true); // Closes the connection of a call that was given up; otherwise nothing.
    }
  }

  private static java.net.http.HttpRequest toJdk(HttpRequest request) {
    String body = request.body();
    java.net.http.HttpRequest.Builder builder =
        java.net.http.HttpRequest.newBuilder(URI.create(request.url()))
            .method(
                request.method().name(),
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    request.headers().forEach((name, values) -> values.forEach(v -> builder.header(name, v)));
    return builder.build();
  }

  @Override
  public void execute(
      HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
    throw new UnsupportedOperationException("answers are not streamed");
  }

  /** The calling thread was interrupted; becomes an InterruptedException again further up. */
  static final class Interrupted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Interrupted(InterruptedException cause) {
      super(cause);
    }
  }

  /** The exchange failed below HTTP. */
  static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Broken(Throwable cause) {
      super(cause);
    }
  }

  /** Hands out one transport, so that all models share its connections. */
  private record Shared(HttpTransport transport) implements HttpClientBuilder {
    @Override
    public Duration connectTimeout() {
      return CONNECT_TIMEOUT;
    }

    @Override
    public HttpClientBuilder connectTimeout(Duration timeout) {
      return this;
    }

    @Override
    public Duration readTimeout() {
      return ModelRequest.DEFAULT_TIMEOUT;
    }

    @Override
    public HttpClientBuilder readTimeout(Duration timeout) {
      return this;
    }

    @Override
    public HttpClient build() {
      return transport;
    }
  }
}
