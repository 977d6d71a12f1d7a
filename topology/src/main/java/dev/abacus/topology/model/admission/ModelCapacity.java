package dev.abacus.topology.model.admission;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.InstanceStatus.ModelHealth;
import dev.abacus.schemas.control.ModelWait;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.RateLimits;
import dev.abacus.topology.model.admission.ModelGate.Decision;
import dev.abacus.topology.model.admission.WaitQueue.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells when the next call of one model may start: when its {@link CircuitBreaker}, its {@link
 * RateLimiter} and the one of its key allow it, with the tokens that the call is estimated to use.
 * Learns from the outcomes of calls. Not thread-safe; {@link ModelGate} guards it.
 */
final class ModelCapacity {

  private static final Duration SHORT_PAUSE = Duration.ofMinutes(1);

  private final String model;
  private final CircuitBreaker circuit = new CircuitBreaker();
  private final RateLimiter limiter;
  private final @Nullable RateLimiter key;
  private final TokenEstimate estimate = new TokenEstimate();
  private final MinuteCounter admissions = new MinuteCounter();

  /** Keeps what was before the circuit closed again. */
  private final FaultWindow latest = new FaultWindow();

  private long calls;
  private long failures;
  private long transientFaults;

  /**
   * The capacity before the first call.
   *
   * @param inProcess as {@link ModelCard#isInProcess}
   * @param key the limiter of all models with the same key; null if it has no limits
   */
  ModelCapacity(String model, boolean inProcess, CallLimits limits, @Nullable RateLimiter key) {
    this.model = model;
    this.limiter = new RateLimiter(limits, inProcess);
    this.key = key;
  }

  /** The earliest instant at which a call may start; {@link Instant#MAX} if an event decides. */
  Instant admits(Waiter waiter, Instant now) {
    Instant at = circuit.admits(now);
    if (!at.isAfter(now)) {
      long tokens = estimate.of(waiter.characters());
      at = limiter.admits(tokens, now);
      // The key is asked last, because asking it reserves.
      return key == null || at.isAfter(now) ? at : key.reserve(tokens, now);
    }
    return at;
  }

  /** Takes the capacity for a call that {@link #admits} allows now. */
  Decision.Admitted admit(Waiter waiter, Instant now) {
    long tokens = estimate.of(waiter.characters());
    limiter.admitted(tokens, now);
    admissions.add(1, now);
    return new Decision.Admitted(circuit.admit(), now, tokens);
  }

  /**
   * Takes in the outcome of an admitted call.
   *
   * @param characters of its prompt
   * @param fault the failure if the provider causes it; null for an answer
   * @param used tokens
   */
  void finished(
      Decision.Admitted admitted,
      long characters,
      @Nullable ModelFailure fault,
      TokenCounts used,
      Instant now) {
    release(admitted, used.total());
    boolean open = cause() != null;
    calls++;
    failures += fault == null ? 0 : 1;
    if (fault instanceof ModelFailure.RateLimited refusal) {
      limiter.refused(admitted.start(), refusal.retryAfter(), now);
      if (admitted.probe()) {
        circuit.record(null, true, now);
      }
    } else {
      latest.add(fault != null, now);
      transientFaults += fault != null && CircuitBreaker.isTransient(fault) ? 1 : 0;
      circuit.record(fault, admitted.probe(), now);
      if (fault == null) {
        limiter.answered(used.total(), now);
        estimate.learn(characters, used);
      }
    }
    if (open && cause() == null) {
      limiter.recovered();
    }
  }

  /** An admitted call ended without an outcome. */
  void abandoned(Decision.Admitted admitted, Instant now) {
    release(admitted, 0);
    if (admitted.probe()) {
      circuit.abandonProbe(now);
    }
  }

  private void release(Decision.Admitted admitted, long usedTokens) {
    limiter.ended(admitted.tokens() - usedTokens);
    if (key != null) {
      key.ended(admitted.tokens() - usedTokens);
    }
  }

  /** Why the circuit is open; null if it is closed. */
  @Nullable ModelFailure cause() {
    CircuitBreaker.Outage outage = circuit.outage();
    return outage == null ? null : outage.cause();
  }

  /** Whether an account or a key is the cause of an outage. */
  boolean isOutOfAccount() {
    ModelFailure cause = cause();
    return cause != null && CircuitBreaker.isOfAccount(cause);
  }

  /** Why no call can start for a long time; null if a call can start soon. */
  @Nullable ModelFailure unavailable(Instant now) {
    ModelFailure cause = cause();
    return cause == null && isPausedForLong(now)
        ? new ModelFailure.RateLimited(limiter.describe(), null)
        : cause;
  }

  /** Whether the circuit admits a call now. */
  boolean circuitAdmits(Instant now) {
    return !circuit.admits(now).isAfter(now);
  }

  /**
   * How the model answers. It is open while its latest calls are {@linkplain FaultWindow
   * unreliable}, while the circuit admits no call, and while the endpoint asks for a pause of over
   * a minute; other rate limits count as failures but do not open it, because the model works.
   */
  ModelHealth health(Instant now) {
    boolean open = latest.isUnreliable(now) || !circuitAdmits(now) || isPausedForLong(now);
    return new ModelHealth(model, calls, failures, open);
  }

  private boolean isPausedForLong(Instant now) {
    return limiter.pausedUntil().isAfter(now.plus(SHORT_PAUSE));
  }

  /** Another model of the same account failed for this cause, or answers again if null. */
  void accountChanged(@Nullable ModelFailure cause, Instant now) {
    if (cause != null) {
      circuit.suspect(cause, now);
    } else if (isOutOfAccount()) {
      circuit.probeNow(now);
    }
  }

  /** Admits the next probe at once if the circuit is open. */
  void probeNow(Instant now) {
    circuit.probeNow(now);
  }

  /** Takes in the limits that a response states. */
  void reported(RateLimits stated, Instant now) {
    limiter.reported(stated, now);
  }

  /** Sets the part of the limits that this instance may use, in [0, 1]. */
  void share(double part, Instant now) {
    limiter.share(part, now);
  }

  /** The outcomes of all calls so far. */
  LoneFailure.Tally tally() {
    return new LoneFailure.Tally(calls - failures, transientFaults);
  }

  /** Number of calls that were admitted in the last minute. */
  long admittedLately(Instant now) {
    return admissions.count(now);
  }

  /**
   * What waiting calls wait for; null if it is nothing that a user should know.
   *
   * @param waiting at least one call
   * @param next the call of any program that is admitted next; null if all pause
   */
  @Nullable ModelWait wait(List<Waiter> waiting, @Nullable Waiter next, Instant now) {
    WaitReport report = new WaitReport(model, waiting, now);
    CircuitBreaker.Outage outage = circuit.outage();
    if (outage != null) {
      return report.ofOutage(outage);
    }
    ModelFailure cause = report.causeOfPauses();
    return cause == null || cause instanceof ModelFailure.RateLimited
        ? limited(report, next, now)
        : report.ofPauses(cause);
  }

  /** A wait for the limits of the model or of its key; null if there are none. */
  private @Nullable ModelWait limited(WaitReport report, @Nullable Waiter next, Instant now) {
    if (key == null && !limiter.isLimited(now)) {
      return null;
    }
    Instant at = next == null ? null : limiter.admits(estimate.of(next.characters()), now);
    return key != null && next != null && at != null && !at.isAfter(now)
        ? report.ofLimit(
            key.describe() + ", over all models of the key",
            key.admits(estimate.of(next.characters()), now))
        : report.ofLimit(limiter.describe(), at);
  }
}
