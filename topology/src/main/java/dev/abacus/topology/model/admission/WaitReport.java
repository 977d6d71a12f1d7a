package dev.abacus.topology.model.admission;

import dev.abacus.schemas.control.ModelWait;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.admission.WaitQueue.Waiter;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * States what calls wait for.
 *
 * @param waiting at least one call
 */
record WaitReport(String model, List<Waiter> waiting, Instant now) {

  /**
   * If all calls pause after a failed attempt, the failure of the call whose pause ends first; null
   * if a call is ready, whatever its last attempt came to.
   */
  @Nullable ModelFailure causeOfPauses() {
    Waiter first = first();
    return first.notBefore().isAfter(now) ? first.last() : null;
  }

  /** The circuit of the model is open: the first call that is ready when a probe is due is it. */
  ModelWait ofOutage(CircuitBreaker.Outage outage) {
    Instant probeAt = outage.probeAt();
    Instant until =
        probeAt == null ? null : RateLimiter.later(probeAt, RateLimiter.later(now, endOfPause()));
    return of(causeOf(outage.cause()), outage.cause().message(), until, outage.since());
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
    Instant end = until == null ? RateLimiter.later(now, endOfPause()) : until;
    return of(ModelWait.Cause.RATE_LIMIT, limit, end.equals(Instant.MAX) ? null : end, start());
  }

  private ModelWait of(
      ModelWait.Cause cause, String message, @Nullable Instant until, Instant since) {
    return new ModelWait(model, cause, message, waiting.size(), until, since);
  }

  private Instant start() {
    return waiting.stream().map(Waiter::since).min(Instant::compareTo).orElse(now);
  }

  private Waiter first() {
    return Collections.min(waiting, Comparator.comparing(Waiter::notBefore));
  }

  private Instant endOfPause() {
    return first().notBefore();
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
      case ModelFailure.RequestFailure _ ->
          throw new IllegalArgumentException("not a fault of the provider: " + fault);
    };
  }
}
