package dev.abacus.topology.model.openai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.topology.model.RateLimits;
import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP client that langchain4j uses here instead of its own. It differs in these points:
 *
 * <ul>
 *   <li>It speaks HTTP/1.1 only. The JDK's default offer of an upgrade to HTTP/2 makes vLLM and
 *       uvicorn answer with status 400.
 *   <li>It enforces the time limits of an {@link HttpCall}, including the response body.
 *   <li>All models share its connections.
 *   <li>It adds the headers and query parameters of the {@link Endpoint}, and {@link CacheMarks}.
 *   <li>It uses the proxies of the environment.
 *   <li>It reads the headers that limit the rate of requests.
 * </ul>
 */
final class HttpTransport {

  /** Limit of a response body, far above any answer, so that a faulty endpoint fills no memory. */
  private static final long MAX_BODY_BYTES = 64L << 20;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private final java.net.http.HttpClient client;
  private final Clock clock;

  HttpTransport(ProxySelector proxies, Clock clock) {
    this.clock = clock;
    this.client =
        java.net.http.HttpClient.newBuilder()
            .version(Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIMEOUT)
            .proxy(proxies)
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
  }

  /**
   * This transport as a builder for langchain4j; langchain4j's timeouts are ignored.
   *
   * @param bodies changes the bodies of requests
   * @param listener hears of the rate limits that responses state
   */
  HttpClientBuilder asBuilder(
      Endpoint endpoint, UnaryOperator<String> bodies, Consumer<RateLimits> listener) {
    return new SharedTransport(new EndpointClient(this, endpoint, bodies, listener));
  }

  /** Sends requests to one endpoint. */
  private record EndpointClient(
      HttpTransport transport,
      Endpoint endpoint,
      UnaryOperator<String> bodies,
      Consumer<RateLimits> listener)
      implements HttpClient {

    @Override
    public SuccessfulHttpResponse execute(HttpRequest request) {
      HttpCall call = HttpCall.current();
      HttpResponse<byte[]> response = transport.send(toJdk(request, call), call);
      JsonNode json = call.received(response.body());
      RateLimitHeaders headers = RateLimitHeaders.of(response.headers(), transport.clock);
      RateLimits limits = headers.limits();
      if (limits != null) {
        listener.accept(limits);
      }
      int status = response.statusCode();
      if (status < 200 || status > 299) {
        throw ServerRefusal.of(status, response, headers);
      }
      if (RefusalBody.isError(json)) {
        throw ServerRefusal.of(RefusalBody.status(json), response, headers);
      }
      return SuccessfulHttpResponse.builder()
          .statusCode(status)
          .headers(response.headers().map())
          .body(response.body())
          .build();
    }

    private java.net.http.HttpRequest toJdk(HttpRequest request, HttpCall call) {
      String body = request.body();
      java.net.http.HttpRequest.Builder builder =
          java.net.http.HttpRequest.newBuilder(uri(request.url(), endpoint.query()))
              .method(
                  request.method().name(),
                  body == null ? BodyPublishers.noBody() : new Observed(bodies.apply(body), call));
      request.headers().forEach((name, values) -> values.forEach(v -> builder.header(name, v)));
      endpoint.headers().forEach(builder::setHeader);
      return builder.build();
    }

    @Override
    public void execute(
        HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
      throw new UnsupportedOperationException("streaming is not supported");
    }
  }

  private static URI uri(String url, Map<String, String> query) {
    if (query.isEmpty()) {
      return URI.create(url);
    }
    String parameters =
        query.entrySet().stream()
            .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
            .collect(Collectors.joining("&"));
    return URI.create(url + (url.contains("?") ? "&" : "?") + parameters);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private HttpResponse<byte[]> send(java.net.http.HttpRequest request, HttpCall call) {
    CompletableFuture<@Nullable Void> firstByte = new CompletableFuture<>();
    BodyHandler<byte[]> body = BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BODY_BYTES);
    CompletableFuture<HttpResponse<byte[]>> exchange =
        client.sendAsync(
            request,
            head -> {
              call.beginning();
              firstByte.complete(null);
              return body.apply(head);
            });
    try {
      Duration untilFirstByte = call.limits().firstByte();
      if (untilFirstByte != null && !awaits(firstByte, exchange, call)) {
        throw new TimeLimitExceeded("no response", untilFirstByte);
      }
      return exchange.get(call.remainingNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new TimeLimitExceeded("no complete answer", call.limits().whole());
    } catch (InterruptedException e) {
      throw new Interrupted(e);
    } catch (ExecutionException e) {
      throw new CompletionException(e.getCause() == null ? e : e.getCause());
    } finally {
      exchange.cancel(true); // Closes the connection if the exchange is not complete.
    }
  }

  /**
   * Waits for the first byte or the end of the exchange; returns false if neither comes in time.
   */
  private static boolean awaits(
      CompletableFuture<?> firstByte, CompletableFuture<?> exchange, HttpCall call)
      throws InterruptedException, ExecutionException {
    try {
      CompletableFuture.anyOf(firstByte, exchange)
          .get(call.remainingToFirstByteNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  /** A body that tells its call when it is sent, which is after the connection is open. */
  private record Observed(BodyPublisher body, HttpCall call) implements BodyPublisher {

    Observed(String body, HttpCall call) {
      this(BodyPublishers.ofString(body), call);
    }

    @Override
    public long contentLength() {
      return body.contentLength();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super java.nio.ByteBuffer> subscriber) {
      call.sending();
      body.subscribe(subscriber);
    }
  }

  /** A time limit of the call passed. */
  static final class TimeLimitExceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TimeLimitExceeded(String missing, Duration allowed) {
      super(missing + " within " + allowed.toMillis() + " ms");
    }
  }

  /** The thread was interrupted. {@link FailureClassifier} throws InterruptedException for it. */
  static final class Interrupted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Interrupted(InterruptedException cause) {
      super(cause);
    }
  }

  /** Builds the same client each time. */
  private record SharedTransport(HttpClient client) implements HttpClientBuilder {
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
      return Duration.ZERO;
    }

    @Override
    public HttpClientBuilder readTimeout(Duration timeout) {
      return this;
    }

    @Override
    public HttpClient build() {
      return client;
    }
  }
}
