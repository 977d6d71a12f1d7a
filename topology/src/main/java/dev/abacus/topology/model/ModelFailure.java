package dev.abacus.topology.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The reason why a call gave no answer, and whether another attempt may succeed. */
public sealed interface ModelFailure {

  /** A description for the reader of the dead letter. */
  String message();

  /**
   * How often the same request is worth repeating, because its failure depends on chance and not on
   * the provider. Faults of the provider are repeated elsewhere, without a limit.
   */
  default int repetitions() {
    return switch (this) {
      case EmptyAnswer _ -> 1;
      case Malformed _ -> 3;
      case MediaUnavailable(_, boolean retryable) -> retryable ? 5 : 0;
      case ProviderFault _,
          TierUnavailable _,
          Refused _,
          ContextTooLong _,
          Declined _,
          Truncated _,
          FailsAlone _ ->
          0;
    };
  }

  /** The pause that the endpoint requests before the next attempt; null if it requests none. */
  default @Nullable Duration retryAfter() {
    return null;
  }

  /**
   * Whether the provider is the reason: the same request could succeed at another endpoint or at
   * another time. False if the request itself is the reason.
   */
  default boolean isProviderFault() {
    return this instanceof ProviderFault;
  }

  /** A failure whose reason is the provider. */
  sealed interface ProviderFault extends ModelFailure {}

  /** A failure whose reason is the request, its model's answer or the tier that it asks for. */
  sealed interface RequestFailure extends ModelFailure {}

  /** The endpoint limits the rate of requests (status 429). */
  record RateLimited(String message, @Nullable Duration retryAfter) implements ProviderFault {}

  /**
   * The provider has no capacity at the tier of the model (status 429 with {@code
   * resource_unavailable}): no limit of this account, and no fault of the standard tier.
   */
  record TierUnavailable(String message) implements RequestFailure {}

  /** The account has no credit or quota left (status 429 with {@code insufficient_quota}). */
  record QuotaExhausted(String message) implements ProviderFault {}

  /** The endpoint fails or is overloaded (status 5xx). */
  record ServerError(int status, String message, @Nullable Duration retryAfter)
      implements ProviderFault {}

  /** The answer was not complete within the timeout. */
  record TimedOut(String message) implements ProviderFault {}

  /** The connection could not be opened, or broke before the answer was complete. */
  record ConnectionLost(String message) implements ProviderFault {}

  /** The response does not follow the API of the endpoint or the requested schema. */
  record Malformed(String message) implements RequestFailure {}

  /** The model answered without text. */
  record EmptyAnswer(String message) implements RequestFailure {}

  /** The endpoint rejects the request (status 4xx), and would reject it again. */
  record Refused(int status, String message) implements RequestFailure {}

  /** The prompt and the answer exceed the model's context. */
  record ContextTooLong(String message) implements RequestFailure {}

  /** An image of the document is not allowed or cannot be fetched. */
  record MediaUnavailable(String message, boolean retryable) implements RequestFailure {}

  /** The key is missing, or the endpoint rejects it (status 401 or 403). */
  record AuthenticationFailed(String message) implements ProviderFault {}

  /** The catalogue or the endpoint does not know the model. */
  record UnknownModel(String message) implements ProviderFault {}

  /** The model refuses to answer, or a content filter of the endpoint stops the answer. */
  record Declined(String message) implements RequestFailure {}

  /**
   * Every attempt ended in a fault of the provider, while the model answered other calls so often
   * that chance does not explain it: the request is the reason.
   */
  record FailsAlone(String message) implements RequestFailure {}

  /** The answer reached the limit of output tokens and is incomplete. */
  record Truncated(String message) implements RequestFailure {}
}
