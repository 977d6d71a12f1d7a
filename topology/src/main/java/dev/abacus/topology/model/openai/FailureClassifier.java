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
 * Turns what langchain4j throws into a {@link ModelFailure}. Goes by the causes, because connection
 * errors arrive wrapped in plain runtime exceptions.
 */
final class FailureClassifier {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int LONGEST_MESSAGE = 1000;

  private FailureClassifier() {}

  /**
   * The failure that an exception stands for.
   *
   * @throws InterruptedException if it stands for an interrupt
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
      case ServerRefusal refused -> ofStatus(refused);
      case Deadline.Exceeded exceeded -> new ModelFailure.TimedOut(text(exceeded));
      case ContentFilteredException declined -> new ModelFailure.Declined(text(declined));
      // Before IOException, which it extends.
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

  private static ModelFailure ofStatus(ServerRefusal refused) {
    int status = refused.statusCode();
    JsonNode error = error(refused.getMessage());
    String code = error.path("code").asText("");
    String message = "status " + status + ": " + message(error, refused.getMessage());
    if (status == 429) {
      return code.equals("insufficient_quota")
          ? new ModelFailure.QuotaExhausted(message)
          : new ModelFailure.RateLimited(message, refused.retryAfter());
    }
    if (status >= 500) {
      return new ModelFailure.ServerError(status, message, refused.retryAfter());
    }
    return switch (status) {
      case 401, 403 -> new ModelFailure.AuthenticationFailed(message);
      case 404 -> new ModelFailure.UnknownModel(message);
      case 408 -> new ModelFailure.TimedOut(message);
      default -> ofCode(status, code, message);
    };
  }

  private static ModelFailure ofCode(int status, String code, String message) {
    String words = message.toLowerCase(Locale.ROOT);
    if (code.equals("context_length_exceeded")
        || status == 413
        || words.contains("maximum context length")
        || words.contains("context window")) {
      return new ModelFailure.ContextTooLong(message);
    }
    if (code.equals("model_not_found")) {
      return new ModelFailure.UnknownModel(message);
    }
    return code.equals("content_filter")
        ? new ModelFailure.Declined(message)
        : new ModelFailure.Refused(status, message);
  }

  /** The error object of a body in OpenAI's form; missing where the body has another. */
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
    return whole.length() <= LONGEST_MESSAGE ? whole : whole.substring(0, LONGEST_MESSAGE) + "…";
  }

  private static String text(Throwable cause) {
    String message = cause.getMessage();
    return message == null || message.isBlank() ? cause.getClass().getSimpleName() : message;
  }
}
