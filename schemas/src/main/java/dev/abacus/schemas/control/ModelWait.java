package dev.abacus.schemas.control;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Calls that wait until a model can be called again. Documents whose calls wait stay pending.
 *
 * @param model name in the catalogue
 * @param message what the provider answered last
 * @param waitingCalls of the program, on this instance
 * @param until time of the next attempt; null while an attempt is in progress
 * @param since start of the outage
 */
public record ModelWait(
    String model,
    Cause cause,
    String message,
    long waitingCalls,
    @Nullable Instant until,
    Instant since) {

  /** Why calls wait. */
  public enum Cause {
    /** The endpoint limits requests or tokens; calls continue when the limit allows. */
    RATE_LIMIT,
    /** The endpoint fails or is overloaded. */
    SERVER_ERROR,
    /** Answers do not arrive in time. */
    TIMEOUT,
    /** The endpoint cannot be reached. */
    CONNECTION,
    /** The account has no credit; an operator must act. */
    QUOTA,
    /** The key is missing or refused; an operator must act. */
    AUTHENTICATION,
    /** The endpoint or the catalogue does not have the model; an operator must act. */
    UNKNOWN_MODEL
  }
}
