package dev.abacus.topology.model.admission;

import dev.abacus.topology.model.ModelFailure;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The circuit breaker of one model. It opens when the provider cannot answer, and then admits one
 * call at a time, a <em>probe</em>, at growing intervals. A probe that gets an answer closes it; a
 * failure that the document causes is an answer too.
 *
 * <table>
 *   <caption>Causes</caption>
 *   <tr><th>failure</th><th>opens</th><th>probes</th></tr>
 *   <tr><td>server error, timeout, lost connection</td><td>when the latest attempts are {@linkplain
 *   FaultWindow unreliable}</td><td>after 1 s, then at intervals that double to 30 s</td></tr>
 *   <tr><td>account without credit, key missing or refused, unknown model</td><td>at once</td>
 *   <td>after 5 s, then at intervals that double to 5 min</td></tr>
 * </table>
 *
 * <p>A rate limit opens no circuit; see {@link RateLimiter}. Not thread-safe; {@link ModelGate}
 * guards it.
 */
final class CircuitBreaker {

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final Duration SHORTEST_OF_ACCOUNT = Duration.ofSeconds(5);
  private static final Duration LONGEST_OF_ACCOUNT = Duration.ofMinutes(5);

  private sealed interface State {

    /** All calls are admitted. */
    record Closed() implements State {}

    /** No call is admitted before {@code probeAt}, then one. */
    record Open(ModelFailure cause, Instant since, Instant probeAt, Duration interval)
        implements State {}

    /** The probe is in flight. */
    record HalfOpen(Open before) implements State {}
  }

  /** The reason why a circuit is open. */
  record Outage(ModelFailure cause, Instant since, @Nullable Instant probeAt) {}

  private final FaultWindow window = new FaultWindow();
  private State state = new State.Closed();

  /**
   * The earliest instant at which a call can be admitted; {@link Instant#MAX} while a probe is in
   * flight.
   */
  Instant admits(Instant now) {
    return switch (state) {
      case State.Closed _ -> now;
      case State.Open open -> open.probeAt();
      case State.HalfOpen _ -> Instant.MAX;
    };
  }

  /** Admits a call. Returns whether it is a probe. */
  boolean admit() {
    if (state instanceof State.Open open) {
      state = new State.HalfOpen(open);
      return true;
    }
    return false;
  }

  /** A probe ended without an outcome. The next call is the probe. */
  void abandonProbe(Instant now) {
    if (state instanceof State.HalfOpen(State.Open before)) {
      state = new State.Open(before.cause(), before.since(), now, before.interval());
    }
  }

  /**
   * Takes in the outcome of a call.
   *
   * @param fault the failure if the provider causes it; null for an answer
   */
  void record(@Nullable ModelFailure fault, boolean probe, Instant now) {
    switch (state) {
      case State.Closed _ -> {
        boolean transientFault = fault != null && isTransient(fault);
        window.add(fault != null, now);
        if (fault != null && (!transientFault || window.isUnreliable(now))) {
          open(fault, now, shortest(fault), now, fault.retryAfter());
        }
      }
      case State.HalfOpen(State.Open before) when probe -> {
        if (fault == null) {
          window.clear();
          state = new State.Closed();
        } else {
          boolean sameKind = isOfAccount(fault) == isOfAccount(before.cause());
          Duration twice = before.interval().multipliedBy(2);
          Duration interval = sameKind ? min(twice, longest(fault)) : shortest(fault);
          open(fault, before.since(), interval, now, fault.retryAfter());
        }
      }
      // Calls that were in flight when the circuit opened.
      case State.Open open when fault != null && fault.retryAfter() != null ->
          open(open.cause(), open.since(), open.interval(), now, fault.retryAfter());
      case State.Open _, State.HalfOpen _ -> {
        // Only a probe shows whether the provider answers again.
      }
    }
  }

  private void open(
      ModelFailure fault,
      Instant since,
      Duration interval,
      Instant now,
      @Nullable Duration requested) {
    Duration wait =
        requested == null ? interval : requested.compareTo(interval) > 0 ? requested : interval;
    Instant probeAt = now.plus(wait);
    if (state instanceof State.Open open && open.probeAt().isAfter(probeAt)) {
      probeAt = open.probeAt();
    }
    state = new State.Open(fault, since, probeAt, interval);
  }

  /** Another model of the same account failed for this cause: the next call is a probe. */
  void suspect(ModelFailure cause, Instant now) {
    if (state instanceof State.Closed) {
      state = new State.Open(cause, now, now, shortest(cause));
    }
  }

  /** Admits the next probe at once. */
  void probeNow(Instant now) {
    if (state instanceof State.Open open && open.probeAt().isAfter(now)) {
      state = new State.Open(open.cause(), open.since(), now, shortest(open.cause()));
    }
  }

  /** Why calls wait; null if the circuit is closed. */
  @Nullable Outage outage() {
    return switch (state) {
      case State.Closed _ -> null;
      case State.Open open -> new Outage(open.cause(), open.since(), open.probeAt());
      case State.HalfOpen(State.Open before) -> new Outage(before.cause(), before.since(), null);
    };
  }

  /** Whether an account or a key is the cause of an outage. */
  static boolean isOfAccount(ModelFailure cause) {
    return cause instanceof ModelFailure.QuotaExhausted
        || cause instanceof ModelFailure.AuthenticationFailed;
  }

  /** Whether a fault can end by itself within seconds. */
  static boolean isTransient(ModelFailure fault) {
    return fault instanceof ModelFailure.ServerError
        || fault instanceof ModelFailure.TimedOut
        || fault instanceof ModelFailure.ConnectionLost;
  }

  private static boolean needsOperator(ModelFailure fault) {
    return isOfAccount(fault) || fault instanceof ModelFailure.UnknownModel;
  }

  private static Duration shortest(ModelFailure fault) {
    return needsOperator(fault) ? SHORTEST_OF_ACCOUNT : SHORTEST;
  }

  private static Duration longest(ModelFailure fault) {
    return needsOperator(fault) ? LONGEST_OF_ACCOUNT : LONGEST;
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
