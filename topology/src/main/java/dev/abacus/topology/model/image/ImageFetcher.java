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
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Fetches images within the bounds of a policy. Follows no redirect: it could lead to a host that
 * is not allowed. What was fetched is kept for a while, since techniques show a document several
 * times.
 */
final class ImageFetcher {

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
            .connectTimeout(policy.time())
            .executor(Executors.newVirtualThreadPerTaskExecutor())
            .build();
  }

  /** What came of fetching. */
  sealed interface Result {
    record Image(Content.ImageBytes image) implements Result {}

    /**
     * No image.
     *
     * @param retryable whether there may be one later
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
    // One byte more than allowed tells too large from just large enough.
    CompletableFuture<HttpResponse<byte[]>> exchange =
        client.sendAsync(
            HttpRequest.newBuilder(address).header("Accept", "image/*").build(),
            BodyHandlers.limiting(BodyHandlers.ofByteArray(), policy.mostBytes() + 1L));
    try {
      return read(exchange.get(policy.time().toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return new Result.None("not fetched within " + policy.time().toSeconds() + " s", true);
    } catch (ExecutionException e) {
      String cause = String.valueOf(e.getCause());
      boolean tooLarge = cause.contains("exceeds capacity");
      return tooLarge ? tooLarge() : new Result.None("cannot be fetched: " + cause, true);
    } finally {
      boolean _ = exchange.cancel(true);
    }
  }

  private Result read(HttpResponse<byte[]> response) {
    int status = response.statusCode();
    if (status != OK) {
      boolean retryable = status == TOO_MANY || status >= SERVER_ERROR;
      return new Result.None("the host answers with status " + status, retryable);
    }
    if (response.body().length > policy.mostBytes()) {
      return tooLarge();
    }
    String type = response.headers().firstValue("Content-Type").orElse("");
    String plain = type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    return plain.startsWith("image/") && response.body().length > 0
        ? new Result.Image(
            new Content.ImageBytes(plain, Base64.getEncoder().encodeToString(response.body())))
        : new Result.None("what the host sends is no image but '" + plain + "'", false);
  }

  private Result tooLarge() {
    return new Result.None("larger than " + policy.mostBytes() + " bytes", false);
  }
}
