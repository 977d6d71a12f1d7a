package dev.abacus.topology.model.openai;

import dev.langchain4j.exception.HttpException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A response with a status outside 2xx. The message is its body. Carries the pause that its headers
 * request, which langchain4j's own exception drops.
 */
final class ServerRefusal extends HttpException {

  private static final long serialVersionUID = 1L;

  private final transient @Nullable Duration retryAfter;

  private ServerRefusal(int status, String body, @Nullable Duration retryAfter) {
    super(status, body);
    this.retryAfter = retryAfter;
  }

  /**
   * The exception for a response.
   *
   * @param status that of the response, or of the error in it
   */
  static ServerRefusal of(int status, HttpResponse<byte[]> response, RateLimitHeaders headers) {
    return new ServerRefusal(
        status, new String(response.body(), StandardCharsets.UTF_8), headers.retryAfter());
  }

  /** The parsed body. */
  RefusalBody body() {
    return RefusalBody.parse(getMessage());
  }

  /** The pause that the server requests; null if it requests none that can be parsed. */
  @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
