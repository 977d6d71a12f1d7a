package dev.abacus.topology.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Why a model gave no answer, and whether asking again can help. */
public sealed interface ModelFailure {

  /** What happened, in words for the person who reads the dead letter. */
  String message();

  /** Whether the same request may succeed later. */
  boolean retryable();

  /** How long the endpoint asks to be left alone; null if it does not say. */
  default @Nullable Duration retryAfter() {
    return null;
  }

  /**
   * Whether it says something of the provider: the same request might have been answered elsewhere
   * or at another time. False if the request itself is the reason.
   */
  default boolean isOfProvider() {
    return switch (this) {
      case RateLimited _,
          QuotaExhausted _,
          ServerError _,
          TimedOut _,
          ConnectionLost _,
          AuthenticationFailed _,
          UnknownModel _ ->
          true;
      case Malformed _, Refused _, ContextTooLong _, ImageUnavailable _, Declined _, Truncated _ ->
          false;
    };
  }

  /** The endpoint takes no more requests for now (429). */
  record RateLimited(String message, @Nullable Duration retryAfter) implements ModelFailure {
    @Override
    public boolean retryable() {
      return true;
    }
  }

  /** The account's money or quota is used up; waiting a few seconds does not change that. */
  record QuotaExhausted(String message) implements ModelFailure {
    @Override
    public boolean retryable() {
      return false;
    }
  }

  /** The endpoint is broken or overloaded (5xx). */
  record ServerError(int status, String message, @Nullable Duration retryAfter)
      implements ModelFailure {
    @Override
    public boolean retryable() {
      return true;
    }
  }

  /** No complete answer within the time allowed: nothing came, or it stalled half-way. */
  record TimedOut(String message) implements ModelFailure {
    @Override
    public boolean retryable() {
      return true;
    }
  }

  /** The endpoint could not be reached, or the connection broke before the answer was complete. */
  record ConnectionLost(String message) implements ModelFailure {
    @Override
    public boolean retryable() {
      return true;
    }
  }

  /** The endpoint answered, but not in the form of its API, or not in the form asked for. */
  record Malformed(String message) implements ModelFailure {
    @Override
    public boolean retryable() {
      return true;
    }
  }

  /** The endpoint does not accept the request (4xx); it would not accept it again. */
  record Refused(int status, String message) implements ModelFailure {
    @Override
    public boolean retryable() {
      return false;
    }
  }

  /** The prompt is longer than the model can take. */
  record ContextTooLong(String message) implements ModelFailure {
    @Override
    public boolean retryable() {
      return false;
    }
  }

  /** An image of the document may not be fetched, or could not be. */
  record ImageUnavailable(String message, boolean retryable) implements ModelFailure {}

  /** No key, or one that the endpoint does not accept (401, 403). */
  record AuthenticationFailed(String message) implements ModelFailure {
    @Override
    public boolean retryable() {
      return false;
    }
  }

  /** Neither the catalogue nor the endpoint knows the model. */
  record UnknownModel(String message) implements ModelFailure {
    @Override
    public boolean retryable() {
      return false;
    }
  }

  /** The model declined to answer, or a content filter of the endpoint stopped it. */
  record Declined(String message) implements ModelFailure {
    @Override
    public boolean retryable() {
      return false;
    }
  }

  /** The answer reached the limit of output tokens before its end. */
  record Truncated(String message) implements ModelFailure {
    @Override
    public boolean retryable() {
      return false;
    }
  }
}
