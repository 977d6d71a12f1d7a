package dev.abacus.topology.model.openai;

import com.fasterxml.jackson.core.JacksonException;
import dev.abacus.topology.model.ModelFailure;
import dev.langchain4j.exception.ContentFilteredException;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Maps exceptions of langchain4j to a {@link ModelFailure}. The first exception of the cause chain
 * that is known decides, because langchain4j wraps connection errors in plain runtime exceptions.
 *
 * <p>The error code of a refusal decides first, then its status, and the text only where servers
 * send neither. Messages never contain the keys of the endpoint.
 *
 * <table>
 *   <caption>Statuses of refusals without a known code</caption>
 *   <tr><td>429</td><td>{@code RateLimited}</td></tr>
 *   <tr><td>402</td><td>{@code QuotaExhausted}</td></tr>
 *   <tr><td>5xx, 409, 425</td><td>{@code ServerError}</td></tr>
 *   <tr><td>401, 403</td><td>{@code AuthenticationFailed}</td></tr>
 *   <tr><td>404</td><td>{@code UnknownModel}</td></tr>
 *   <tr><td>408</td><td>{@code TimedOut}</td></tr>
 *   <tr><td>413</td><td>{@code ContextTooLong}</td></tr>
 *   <tr><td>other</td><td>{@code Refused}</td></tr>
 * </table>
 *
 * @param endpoint of the model
 * @param model its name at the endpoint
 * @param tiered whether its calls ask for a service tier
 */
record FailureClassifier(Endpoint endpoint, String model, boolean tiered) {

  private static final Pattern CONTEXT =
      Pattern.compile(
          "maximum context length|context window|context size|maximum model length"
              + "|prompt is too long|reduce the length of the (?:messages|prompt)"
              + "|must be <= \\d+ tokens|must have less than \\d+ tokens");

  /** OpenAI: the request alone exceeds the tokens of a minute, so no pause helps. */
  private static final Pattern TOO_LARGE_FOR_LIMIT = Pattern.compile("^request too large");

  /** OpenAI: a tier has no capacity now; other refusals with status 429 are rate limits. */
  private static final Pattern NO_CAPACITY = Pattern.compile("resource[_ ]unavailable");

  private static final Pattern NO_CREDIT =
      Pattern.compile("credit balance is too low|insufficient balance");

  /** OpenAI: {@code try again in 6m0s}; Azure: {@code retry after 45 seconds}. */
  private static final Pattern PAUSE =
      Pattern.compile("(?:try again in|retry after) (\\d[\\d.hms]*)( ?(?:seconds|secs?))?");

  /**
   * The failure for an exception.
   *
   * @throws InterruptedException if the exception reports that the thread was interrupted
   */
  ModelFailure classify(RuntimeException thrown) throws InterruptedException {
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
    return new ModelFailure.Malformed(
        "the endpoint's answer could not be read: " + endpoint.redacted(thrown.toString()));
  }

  /** The refusal in a cause chain; null if the endpoint did not refuse the request. */
  static @Nullable ServerRefusal refusal(RuntimeException thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof ServerRefusal refusal) {
        return refusal;
      }
    }
    return null;
  }

  private @Nullable ModelFailure ofCause(Throwable cause) {
    return switch (cause) {
      case ServerRefusal refusal -> ofRefusal(refusal);
      case HttpTransport.TimeLimitExceeded exceeded -> new ModelFailure.TimedOut(text(exceeded));
      case ContentFilteredException declined -> new ModelFailure.Declined(text(declined));
      // A subclass of IOException, so it must come first.
      case JacksonException e ->
          new ModelFailure.Malformed(
              "the endpoint's answer is not the JSON of its API: " + e.getOriginalMessage());
      // The JDK's client wraps the one for an unknown host, and gives neither a message.
      case ConnectException e ->
          new ModelFailure.ConnectionLost(
              isOfUnknownHost(e)
                  ? "unknown host in " + endpoint
                  : "cannot connect to %s: %s"
                      .formatted(endpoint, e.getMessage() == null ? "no answer" : text(e)));
      case IOException e -> new ModelFailure.ConnectionLost(text(e));
      case UnresolvedAddressException _ ->
          new ModelFailure.ConnectionLost("unknown host in " + endpoint);
      case IllegalArgumentException e -> new ModelFailure.Refused(0, text(e));
      default -> null;
    };
  }

  private static boolean isOfUnknownHost(Throwable failure) {
    Throwable cause = failure.getCause();
    return cause instanceof UnresolvedAddressException || (cause != null && isOfUnknownHost(cause));
  }

  private ModelFailure ofRefusal(ServerRefusal refusal) {
    RefusalBody body = refusal.body();
    int status = refusal.statusCode();
    String message = endpoint.redacted("status " + status + ": " + body.text());
    String text = body.message().toLowerCase(Locale.ROOT);
    String code = body.code().isEmpty() ? body.type() : body.code();
    if (tiered && status == 429 && NO_CAPACITY.matcher(code + " " + text).find()) {
      return new ModelFailure.TierUnavailable(message);
    }
    ModelFailure known = ofCode(code, message);
    if (known != null) {
      return known;
    }
    boolean request = status == 400 || status == 413 || status == 422;
    if (NO_CREDIT.matcher(text).find() && status < 500) {
      return new ModelFailure.QuotaExhausted(message);
    }
    if (TOO_LARGE_FOR_LIMIT.matcher(text).find() || (request && CONTEXT.matcher(text).find())) {
      return new ModelFailure.ContextTooLong(message);
    }
    Duration pause = refusal.retryAfter() == null ? pause(text) : refusal.retryAfter();
    if (status >= 500) {
      return new ModelFailure.ServerError(status, message, pause);
    }
    return switch (status) {
      case 429 -> new ModelFailure.RateLimited(message, pause);
      case 402 -> new ModelFailure.QuotaExhausted(message);
      case 401, 403 -> new ModelFailure.AuthenticationFailed(message);
      case 404 -> notFound(body, message);
      case 408 -> new ModelFailure.TimedOut(message);
      case 409, 425 -> new ModelFailure.ServerError(status, message, pause);
      case 413 -> new ModelFailure.ContextTooLong(message);
      default -> new ModelFailure.Refused(status, message);
    };
  }

  /** The codes and types of OpenAI, Azure, llama.cpp and Anthropic; null for other codes. */
  private @Nullable ModelFailure ofCode(String code, String message) {
    return switch (code) {
      case "insufficient_quota",
          "billing_hard_limit_reached",
          "billing_not_active",
          "billing_error" ->
          new ModelFailure.QuotaExhausted(message);
      case "invalid_api_key",
          "account_deactivated",
          "authentication_error",
          "invalid_organization" ->
          new ModelFailure.AuthenticationFailed(message);
      case "context_length_exceeded", "string_above_max_length", "exceed_context_size_error" ->
          new ModelFailure.ContextTooLong(message);
      case "content_filter",
          "content_policy_violation",
          "ResponsibleAIPolicyViolation",
          "invalid_prompt" ->
          new ModelFailure.Declined(message);
      case "model_not_found", "DeploymentNotFound" -> unknownModel(message);
      default -> null;
    };
  }

  /** A model that the endpoint does not have, or a URL that is not that of an API. */
  private ModelFailure notFound(RefusalBody body, String message) {
    String text = body.message().toLowerCase(Locale.ROOT);
    return text.contains("model") || text.contains(model.toLowerCase(Locale.ROOT))
        ? unknownModel(message)
        : new ModelFailure.UnknownModel(
            message
                + "; the endpoint %s has no such API: check the base URL, which usually ends in /v1"
                    .formatted(endpoint));
  }

  private ModelFailure unknownModel(String message) {
    return new ModelFailure.UnknownModel(
        message
            + "; the endpoint %s has no model '%s': check apiName in the model catalogue"
                .formatted(endpoint, model));
  }

  private static @Nullable Duration pause(String text) {
    Matcher pause = PAUSE.matcher(text);
    if (!pause.find()) {
      return null;
    }
    String time = pause.group(1).replaceFirst("\\.$", "");
    return RateLimitHeaders.sum(time.matches("[\\d.]+") ? time + "s" : time);
  }

  private String text(Throwable cause) {
    String message = cause.getMessage();
    return message == null || message.isBlank()
        ? cause.getClass().getSimpleName()
        : endpoint.redacted(message);
  }
}
