package dev.abacus.topology.model.openai;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.abacus.topology.model.ModelFailure;
import dev.langchain4j.exception.ContentFilteredException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Maps exceptions of langchain4j to a {@link ModelFailure}. The first exception of the cause chain
 * that is known decides, because langchain4j wraps connection errors in plain runtime exceptions.
 *
 * <table>
 *   <caption>Statuses</caption>
 *   <tr><td>429</td><td>{@code RateLimited}; {@code QuotaExhausted} with code {@code
 *   insufficient_quota}</td></tr>
 *   <tr><td>5xx</td><td>{@code ServerError}</td></tr>
 *   <tr><td>401, 403</td><td>{@code AuthenticationFailed}</td></tr>
 *   <tr><td>404</td><td>{@code UnknownModel}</td></tr>
 *   <tr><td>408</td><td>{@code TimedOut}</td></tr>
 *   <tr><td>413</td><td>{@code ContextTooLong}</td></tr>
 *   <tr><td>other</td><td>by the error code or message: {@code ContextTooLong}, {@code
 *   UnknownModel}, {@code Declined}; otherwise {@code Refused}</td></tr>
 * </table>
 */
final class FailureClassifier {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int MAX_MESSAGE_CHARACTERS = 1000;

  private FailureClassifier() {}

  /**
   * The failure for an exception.
   *
   * @throws InterruptedException if the exception reports that the thread was interrupted
   */
  static ModelFailure classify(RuntimeException thrown) throws InterruptedException {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof HttpTransport.Interrupted) {
        throw (InterruptedException)
            new InterruptedException("model call interrupted").initCause(thrown);
      }
      ModelFailure failure = ofCause(cause);
      if (failure != null) {
        return failure;
      }
    }
    return new ModelFailure.Malformed("the endpoint's answer could not be read: " + thrown);
  }

  private static @Nullable ModelFailure ofCause(Throwable cause) {
    return switch (cause) {
      case ServerRefusal refusal -> ofStatus(refusal);
      case HttpTransport.TimeLimitExceeded exceeded -> new ModelFailure.TimedOut(text(exceeded));
      case ContentFilteredException declined -> new ModelFailure.Declined(text(declined));
      // A subclass of IOException, so it must come first.
      case JacksonException e ->
          new ModelFailure.Malformed(
              "the endpoint's answer is not the JSON of its API: " + e.getOriginalMessage());
      case ConnectException e -> new ModelFailure.ConnectionLost("cannot connect: " + text(e));
      case IOException e -> new ModelFailure.ConnectionLost(text(e));
      case UnresolvedAddressException _ -> new ModelFailure.ConnectionLost("unknown host");
      case IllegalArgumentException e -> new ModelFailure.Refused(0, text(e));
      default -> null;
    };
  }

  private static ModelFailure ofStatus(ServerRefusal refusal) {
    int status = refusal.statusCode();
    JsonNode error = error(refusal.getMessage());
    String code = error.path("code").asText("");
    String message = "status " + status + ": " + message(error, refusal.getMessage());
    if (status == 429) {
      return code.equals("insufficient_quota")
          ? new ModelFailure.QuotaExhausted(message)
          : new ModelFailure.RateLimited(message, refusal.retryAfter());
    }
    if (status >= 500) {
      return new ModelFailure.ServerError(status, message, refusal.retryAfter());
    }
    return switch (status) {
      case 401, 403 -> new ModelFailure.AuthenticationFailed(message);
      case 404 -> new ModelFailure.UnknownModel(message);
      case 408 -> new ModelFailure.TimedOut(message);
      default -> ofCode(status, code, message);
    };
  }

  private static ModelFailure ofCode(int status, String code, String message) {
    String text = message.toLowerCase(Locale.ROOT);
    if (code.equals("context_length_exceeded")
        || status == 413
        || text.contains("maximum context length")
        || text.contains("context window")) {
      return new ModelFailure.ContextTooLong(message);
    }
    if (code.equals("model_not_found")) {
      return new ModelFailure.UnknownModel(message);
    }
    return code.equals("content_filter")
        ? new ModelFailure.Declined(message)
        : new ModelFailure.Refused(status, message);
  }

  /** The {@code error} object of a body in OpenAI's form; a missing node for another form. */
  private static JsonNode error(@Nullable String body) {
    if (body == null) {
      return MissingNode.getInstance();
    }
    try {
      JsonNode tree = JSON.readTree(body);
      return tree == null ? MissingNode.getInstance() : tree.path("error");
    } catch (JacksonException e) {
      return MissingNode.getInstance();
    }
  }

  private static String message(JsonNode error, @Nullable String body) {
    String message = error.path("message").asText("");
    String parameter = error.path("param").asText("");
    String whole =
        message.isBlank()
            ? String.valueOf(body)
            : parameter.isBlank() ? message : message + " (parameter " + parameter + ")";
    return whole.length() <= MAX_MESSAGE_CHARACTERS
        ? whole
        : whole.substring(0, MAX_MESSAGE_CHARACTERS) + "…";
  }

  private static String text(Throwable cause) {
    String message = cause.getMessage();
    return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
  }
}
