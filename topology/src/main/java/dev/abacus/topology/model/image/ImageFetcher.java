package dev.abacus.topology.model.image;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.abacus.topology.model.Content;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches images within the limits of an {@link ImagePolicy}. Follows no redirect, because it could
 * lead to a host that is not allowed. Caches images for ten minutes, because techniques send the
 * same document several times.
 */
final class ImageFetcher {

  private static final Logger LOG = LoggerFactory.getLogger(ImageFetcher.class);

  private static final int OK = 200;
  private static final int TOO_MANY = 429;
  private static final int SERVER_ERROR = 500;
  private static final long CACHE_CHARACTERS = 64L << 20;

  private final ImagePolicy policy;
  private final HttpClient client;
  private final Cache<URI, Content.ImageBytes> cache =
      Caffeine.newBuilder()
          .maximumWeight(CACHE_CHARACTERS)
          .weigher((URI _, Content.ImageBytes image) -> image.base64().length())
          .expireAfterWrite(Duration.ofMinutes(10))
          .build();

  ImageFetcher(ImagePolicy policy) {
    this.policy = policy;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(policy.timeout())
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
  }

  /** The outcome of fetching an image. */
  sealed interface Result {
    record Image(Content.ImageBytes image) implements Result {}

    /**
     * A failure.
     *
     * @param retryable whether another attempt may succeed
     */
    record None(String reason, boolean retryable) implements Result {}
  }

  Result fetch(URI address) throws InterruptedException {
    Content.ImageBytes known = cache.getIfPresent(address);
    if (known != null) {
      return new Result.Image(known);
    }
    Result result = send(address);
    if (result instanceof Result.Image(Content.ImageBytes image)) {
      cache.put(address, image);
    }
    return result;
  }

  private Result send(URI address) throws InterruptedException {
    // One byte above the limit, so that an image of exactly the limit is accepted.
    CompletableFuture<HttpResponse<byte[]>> exchange =
        client.sendAsync(
            HttpRequest.newBuilder(address).header("Accept", "image/*").build(),
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
    String base64 = Base64.getEncoder().encodeToString(response.body());
    String type = ImagePolicy.mediaType(base64);
    return type == null
        ? new Result.None("there is no PNG, JPEG, GIF or WebP image", false)
        : new Result.Image(new Content.ImageBytes(type, base64));
  }

  /** The cause is for the log only: documents must not explore the network of the worker. */
  private static Result notFetched(URI address, String cause, boolean retryable) {
    LOG.info("An image of the host {} is not fetched: {}", address.getHost(), cause);
    return new Result.None("the image cannot be fetched", retryable);
  }

  private Result tooLarge() {
    return new Result.None("the image is larger than " + policy.maxBytes() + " bytes", false);
  }
}
