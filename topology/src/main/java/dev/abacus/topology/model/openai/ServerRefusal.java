package dev.abacus.topology.model.openai;

import dev.langchain4j.exception.HttpException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A response with a status other than 2xx; the message is its body. */
final class ServerRefusal extends HttpException {

  private static final long serialVersionUID = 1L;

  private final transient @Nullable Duration retryAfter;

  ServerRefusal(int status, String body, @Nullable Duration retryAfter) {
    super(status, body);
    this.retryAfter = retryAfter;
  }

  /** What the server's Retry-After asks for; null if it does not. */
  @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
