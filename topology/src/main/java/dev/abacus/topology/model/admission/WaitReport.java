package dev.abacus.topology.model.admission;

import dev.abacus.schemas.control.ModelWait;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.admission.WaitQueue.Waiter;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * States what calls wait for.
 *
 * @param waiting at least one call
 */
record WaitReport(String model, List<Waiter> waiting, Instant now) {

  /** The failure of the last attempt of a waiting call; null if none was tried. */
  @Nullable ModelFailure lastFailure() {
    return waiting.stream().map(Waiter::last).filter(Objects::nonNull).findFirst().orElse(null);
  }

  /** The circuit of the model is open. */
  ModelWait ofOutage(CircuitBreaker.Outage outage) {
    return of(causeOf(outage.cause()), outage.cause().message(), outage.probeAt(), outage.since());
  }

  /** Each call pauses after a failed attempt of its own. */
  ModelWait ofPauses(ModelFailure cause) {
    return of(causeOf(cause), cause.message(), endOfPause(), start());
  }

  /**
   * A limit is reached.
   *
   * @param until when the next call may start; null if all calls pause; {@link Instant#MAX} if
   *     unknown
   */
  ModelWait ofLimit(String limit, @Nullable Instant until) {
    Instant end = until == null ? endOfPause() : until;
    return of(ModelWait.Cause.RATE_LIMIT, limit, end.equals(Instant.MAX) ? null : end, start());
  }

  private ModelWait of(
      ModelWait.Cause cause, String message, @Nullable Instant until, Instant since) {
    return new ModelWait(model, cause, message, waiting.size(), until, since);
  }

  private Instant start() {
    return waiting.stream().map(Waiter::since).min(Instant::compareTo).orElse(now);
  }

  private Instant endOfPause() {
    return waiting.stream().map(Waiter::notBefore).min(Instant::compareTo).orElse(now);
  }

  private static ModelWait.Cause causeOf(ModelFailure fault) {
    return switch (fault) {
      case ModelFailure.RateLimited _ -> ModelWait.Cause.RATE_LIMIT;
      case ModelFailure.ServerError _ -> ModelWait.Cause.SERVER_ERROR;
      case ModelFailure.TimedOut _ -> ModelWait.Cause.TIMEOUT;
      case ModelFailure.ConnectionLost _ -> ModelWait.Cause.CONNECTION;
      case ModelFailure.QuotaExhausted _ -> ModelWait.Cause.QUOTA;
      case ModelFailure.AuthenticationFailed _ -> ModelWait.Cause.AUTHENTICATION;
      case ModelFailure.UnknownModel _ -> ModelWait.Cause.UNKNOWN_MODEL;
      case ModelFailure.Malformed _,
          ModelFailure.EmptyAnswer _,
          ModelFailure.Refused _,
          ModelFailure.ContextTooLong _,
          ModelFailure.ImageUnavailable _,
          ModelFailure.Declined _,
          ModelFailure.Truncated _,
          ModelFailure.FailsAlone _ ->
          throw new IllegalArgumentException("not a fault of the provider: " + fault);
    };
  }
}
