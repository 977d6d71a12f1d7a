package dev.abacus.topology.model.media;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.abacus.schemas.document.Media;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches files within the limits of a {@link MediaPolicy}. Follows no redirect, because it could
 * lead to a host that is not allowed. Caches files for ten minutes, because techniques send the
 * same document several times.
 */
final class MediaFetcher {

  private static final Logger LOG = LoggerFactory.getLogger(MediaFetcher.class);

  private static final int OK = 200;
  private static final int TOO_MANY = 429;
  private static final int SERVER_ERROR = 500;
  private static final long CACHE_CHARACTERS = 64L << 20;

  private final MediaPolicy policy;
  private final HttpClient client;
  private final Cache<URI, Media.Content> cache =
      Caffeine.newBuilder()
          .maximumWeight(CACHE_CHARACTERS)
          .weigher((URI _, Media.Content file) -> file.base64().length())
          .expireAfterWrite(Duration.ofMinutes(10))
          .build();

  MediaFetcher(MediaPolicy policy) {
    this.policy = policy;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(policy.timeout())
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
  }

  /** The outcome of fetching a file. */
  sealed interface Result {
    record File(Media.Content file) implements Result {}

    /**
     * A failure.
     *
     * @param retryable whether another attempt may succeed
     */
    record None(String reason, boolean retryable) implements Result {}
  }

  Result fetch(URI address) throws InterruptedException {
    Media.Content known = cache.getIfPresent(address);
    if (known != null) {
      return new Result.File(known);
    }
    Result result = send(address);
    if (result instanceof Result.File(Media.Content file)) {
      cache.put(address, file);
    }
    return result;
  }

  private Result send(URI address) throws InterruptedException {
    // One byte above the limit, so that a file of exactly the limit is accepted.
    CompletableFuture<HttpResponse<byte[]>> exchange =
        client.sendAsync(
            HttpRequest.newBuilder(address)
                .header("Accept", "image/*, audio/*, application/pdf")
                .build(),
            BodyHandlers.limiting(BodyHandlers.ofByteArray(), policy.maxBytes() + 1L));
    try {
      return read(address, exchange.get(policy.timeout().toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return notFetched(address, "no answer within " + policy.timeout(), true);
    } catch (ExecutionException e) {
      String cause = String.valueOf(e.getCause());
      return cause.contains("exceeds capacity") ? tooLarge() : notFetched(address, cause, true);
    } finally {
      boolean _ = exchange.cancel(true);
    }
  }

  private Result read(URI address, HttpResponse<byte[]> response) {
    int status = response.statusCode();
    if (status != OK) {
      boolean retryable = status == TOO_MANY || status >= SERVER_ERROR;
      return notFetched(address, "status " + status, retryable);
    }
    if (response.body().length > policy.maxBytes()) {
      return tooLarge();
    }
    String type = Media.typeOf(response.body());
    return type == null
        ? new Result.None("there is " + MediaPolicy.NO_FILE, false)
        : new Result.File(Media.Content.of(type, response.body()));
  }

  /** The cause is for the log only: documents must not explore the network of the worker. */
  private static Result notFetched(URI address, String cause, boolean retryable) {
    LOG.info("A file of the host {} is not fetched: {}", address.getHost(), cause);
    return new Result.None("the file cannot be fetched", retryable);
  }

  private Result tooLarge() {
    return new Result.None("the file is larger than " + policy.maxBytes() + " bytes", false);
  }
}
