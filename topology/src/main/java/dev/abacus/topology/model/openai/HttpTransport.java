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
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * The HTTP client that langchain4j uses here instead of its own. It differs in four points:
 *
 * <ul>
 *   <li>It speaks HTTP/1.1 only. The JDK's default offer of an upgrade to HTTP/2 makes vLLM and
 *       uvicorn answer with status 400.
 *   <li>It enforces the {@link Deadline} of a call, including the response body.
 *   <li>All models share its connections.
 *   <li>It keeps the {@code Retry-After} header.
 * </ul>
 */
final class HttpTransport implements HttpClient {

  /** Limit of a response body, far above any answer, so that a faulty endpoint fills no memory. */
  private static final long MAX_BODY_BYTES = 64L << 20;

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

  /** This transport as a builder for langchain4j; langchain4j's timeouts are ignored. */
  HttpClientBuilder asBuilder() {
    return new SharedTransport(this);
  }

  @Override
  public SuccessfulHttpResponse execute(HttpRequest request) {
    HttpResponse<byte[]> response = send(request, Deadline.CURRENT.get());
    int status = response.statusCode();
    if (status < 200 || status > 299) {
      throw ServerRefusal.of(response, clock);
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
            toJdk(request), BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BODY_BYTES));
    try {
      return exchange.get(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new DeadlineExceeded(deadline);
    } catch (InterruptedException e) {
      throw new Interrupted(e);
    } catch (ExecutionException e) {
      throw new Broken(e.getCause() == null ? e : e.getCause());
    } finally {
      exchange.cancel(true); // Closes the connection if the exchange is not complete.
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
    throw new UnsupportedOperationException("streaming is not supported");
  }

  /**
   * The time at which a call is cancelled. A scoped value carries it through langchain4j, which has
   * no parameter for it. The JDK client's own timeout ends with the response headers and does not
   * cover a stalled body.
   *
   * @param nanoTime as {@link System#nanoTime}
   * @param allowed the whole time of the call
   */
  record Deadline(long nanoTime, Duration allowed) {

    private static final ScopedValue<Deadline> CURRENT = ScopedValue.newInstance();

    /** A deadline this long from now. */
    static Deadline after(Duration allowed) {
      return new Deadline(System.nanoTime() + allowed.toNanos(), allowed);
    }

    /** Runs an action; requests that this thread sends within it have this deadline. */
    <T> T call(Supplier<T> action) {
      return ScopedValue.where(CURRENT, this).call(action::get);
    }

    private long remainingNanos() {
      return Math.max(0, nanoTime - System.nanoTime());
    }
  }

  /** The deadline of the call passed. */
  static final class DeadlineExceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DeadlineExceeded(Deadline deadline) {
      super("no complete answer within " + deadline.allowed().toMillis() + " ms");
    }
  }

  /** The thread was interrupted. {@link FailureClassifier} throws InterruptedException for it. */
  static final class Interrupted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Interrupted(InterruptedException cause) {
      super(cause);
    }
  }

  /** The exchange failed below HTTP, such as a lost connection. */
  static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Broken(Throwable cause) {
      super(cause);
    }
  }

  /** Builds the same transport each time, so that all models share its connections. */
  private record SharedTransport(HttpTransport transport) implements HttpClientBuilder {
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
