package dev.abacus.topology.model.admission;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.InstanceStatus.ModelDemand;
import dev.abacus.schemas.control.InstanceStatus.ModelWait;
import dev.abacus.schemas.monitor.LogContext;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.RateLimits;
import dev.abacus.topology.model.admission.WaitQueue.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits the calls of one model in the order of their arrival, as the {@link CircuitBreaker} and
 * the {@link RateLimiter} allow. Calls of documents come before those of samples, but while samples
 * wait, every tenth admission is one of theirs. Thread-safe. Never blocks: a call that must wait is
 * a {@link WaitQueue.Waiter}, which is completed by the event that admits it.
 */
final class ModelGate {

  private static final Logger LOG = LoggerFactory.getLogger(ModelGate.class);

  /** The answer to a call that asks to be admitted. */
  sealed interface Decision {

    /**
     * The call may start. It must report its end by {@link ModelGate#finished} or {@link
     * ModelGate#abandoned}.
     *
     * @param probe whether it is the probe of an open circuit
     * @param start time of admission
     * @param tokens reserved in the rate limiter
     */
    record Admitted(boolean probe, Instant start, long tokens) implements Decision {}

    /** The call has waited long enough for a model that fails for this reason. */
    record GivenUp(ModelFailure cause) implements Decision {}
  }

  private static final Duration SHORT_PAUSE = Duration.ofMinutes(1);

  private final String model;
  private final AdmissionTimer timer;
  private final ReentrantLock lock = new ReentrantLock();
  private final CircuitBreaker circuit = new CircuitBreaker();
  private final RateLimiter limiter;
  private final @Nullable KeyLimiter key;
  private final TokenEstimate estimate = new TokenEstimate();
  private final MinuteCounter admissions = new MinuteCounter();
  private final WaitQueue queue = new WaitQueue();

  /** The next scheduled {@link #dispatch}; {@link Instant#MAX} if there is none. */
  private Instant scheduled = Instant.MAX;

  private boolean closed;
  private long answers;
  private long faults;

  /**
   * A gate without calls.
   *
   * @param key the limiter of all models with the same key; null if it has no limits
   */
  ModelGate(String model, CallLimits limits, @Nullable KeyLimiter key, AdmissionTimer timer) {
    this.model = model;
    this.timer = timer;
    this.limiter = new RateLimiter(limits);
    this.key = key;
  }

  /** Queues a call. It may be completed before this method returns. */
  void enter(Waiter waiter) {
    lock.lock();
    try {
      if (closed) {
        waiter.cancel(false);
      } else {
        queue.add(waiter, timer.instant());
      }
    } finally {
      lock.unlock();
    }
    dispatch();
  }

  /** Removes a call whose thread was interrupted. */
  void leave(Waiter waiter) {
    lock.lock();
    try {
      queue.remove(waiter);
    } finally {
      lock.unlock();
    }
    if (!waiter.cancel(false) && waiter.join() instanceof Decision.Admitted admitted) {
      abandoned(admitted);
    }
  }

  /**
   * Takes in the outcome of an admitted call.
   *
   * @param characters of its prompt
   * @param fault the failure if the provider causes it; null for an answer
   * @param used tokens
   * @return whether the circuit opened or closed because of an account or a key
   */
  boolean finished(
      Decision.Admitted admitted, long characters, @Nullable ModelFailure fault, TokenCounts used) {
    boolean ofAccount;
    ModelFailure before;
    ModelFailure after;
    lock.lock();
    try {
      Instant now = timer.instant();
      release(admitted, used.total());
      before = cause();
      if (fault instanceof ModelFailure.RateLimited refusal) {
        limiter.refused(admitted.start(), refusal.retryAfter(), now);
        if (admitted.probe()) {
          circuit.record(null, true, now);
        }
      } else {
        answers += fault == null ? 1 : 0;
        faults += fault != null && CircuitBreaker.isTransient(fault) ? 1 : 0;
        circuit.record(fault, admitted.probe(), now);
        if (fault == null) {
          limiter.answered(admitted.start(), used.total(), now);
          estimate.learn(characters, used);
        }
      }
      after = cause();
      if (before != null && after == null) {
        limiter.recovered();
      }
      ofAccount = isOfAccount(before) != isOfAccount(after);
    } finally {
      lock.unlock();
    }
    tell(before, after);
    dispatch();
    return ofAccount;
  }

  private void tell(@Nullable ModelFailure before, @Nullable ModelFailure after) {
    if (before == null && after != null) {
      LOG.warn(
          "Model {} cannot be called; its documents wait: {}",
          model,
          LogContext.shortened(after.message()));
    } else if (before != null && after == null) {
      LOG.info("Model {} answers again; its documents continue", model);
    }
  }

  private void release(Decision.Admitted admitted, long usedTokens) {
    limiter.ended(admitted.tokens() - usedTokens);
    if (key != null) {
      key.ended(admitted.tokens() - usedTokens);
    }
  }

  private @Nullable ModelFailure cause() {
    CircuitBreaker.Outage outage = circuit.outage();
    return outage == null ? null : outage.cause();
  }

  private static boolean isOfAccount(@Nullable ModelFailure cause) {
    return cause != null && CircuitBreaker.isOfAccount(cause);
  }

  /** An admitted call ended without an outcome, because its thread was interrupted. */
  void abandoned(Decision.Admitted admitted) {
    lock.lock();
    try {
      release(admitted, 0);
      if (admitted.probe()) {
        circuit.abandonProbe(timer.instant());
      }
    } finally {
      lock.unlock();
    }
    dispatch();
  }

  /** Another model of the same account failed for this cause, or answers again if null. */
  void accountChanged(@Nullable ModelFailure cause) {
    lock.lock();
    try {
      if (cause != null) {
        circuit.suspect(cause, timer.instant());
      } else if (isOfAccount(cause())) {
        circuit.probeNow(timer.instant());
      }
    } finally {
      lock.unlock();
    }
    dispatch();
  }

  /** Admits the next probe at once if the circuit is open. */
  void probeNow() {
    lock.lock();
    try {
      circuit.probeNow(timer.instant());
    } finally {
      lock.unlock();
    }
    dispatch();
  }

  /** Completes the calls whose turn it is, and schedules the next time to look. */
  private void dispatch() {
    List<Runnable> completions = new ArrayList<>();
    lock.lock();
    try {
      Instant now = timer.instant();
      queue.wake(now);
      giveUp(now, completions);
      Waiter next = queue.next();
      Instant at = admits(next, now);
      while (next != null && !at.isAfter(now)) {
        Waiter admitted = next;
        Decision.Admitted decision = admit(admitted, now);
        completions.add(() -> complete(admitted, decision));
        next = queue.next();
        at = admits(next, now);
      }
      schedule(now, at);
    } finally {
      lock.unlock();
    }
    completions.forEach(Runnable::run);
  }

  /** The earliest instant at which a call may start; {@link Instant#MAX} if an event decides. */
  private Instant admits(@Nullable Waiter waiter, Instant now) {
    if (waiter == null) {
      return Instant.MAX;
    }
    Instant at = circuit.admits(now);
    if (!at.isAfter(now)) {
      long tokens = estimate.of(waiter.characters());
      at = limiter.admits(tokens, now);
      // The key is asked last, because asking it reserves.
      return key == null || at.isAfter(now) ? at : key.reserve(tokens, now);
    }
    return at;
  }

  private Decision.Admitted admit(Waiter waiter, Instant now) {
    queue.admitted(waiter);
    long tokens = estimate.of(waiter.characters());
    limiter.admitted(tokens);
    admissions.add(1, now);
    return new Decision.Admitted(circuit.admit(), now, tokens);
  }

  private void complete(Waiter waiter, Decision.Admitted decision) {
    if (!waiter.complete(decision)) {
      abandoned(decision);
    }
  }

  private void giveUp(Instant now, List<Runnable> completions) {
    ModelFailure cause = cause();
    if (cause == null && limiter.pausedUntil().isAfter(now.plus(SHORT_PAUSE))) {
      cause = new ModelFailure.RateLimited(limiter.describe(), null);
    }
    if (cause == null) {
      return;
    }
    ModelFailure reason = cause;
    boolean probeDue = !circuit.admits(now).isAfter(now);
    for (Waiter waiter : queue.samples()) {
      if (!waiter.hasPatience(cause, now) && !(probeDue && waiter == queue.next())) {
        queue.remove(waiter);
        completions.add(() -> waiter.complete(new Decision.GivenUp(reason)));
      }
    }
  }

  private void schedule(Instant now, Instant admission) {
    Instant at = earlier(admission, queue.nextWake());
    if (admission.isAfter(now.plusSeconds(1))) {
      for (Waiter waiter : queue.samples()) {
        Instant end = waiter.endOfPatience();
        at = end.isAfter(now) ? earlier(at, end) : at;
      }
    }
    if (at.isBefore(scheduled)) {
      scheduled = at;
      Instant due = at;
      timer.schedule(Duration.between(now, due), () -> scheduledDispatch(due));
    }
  }

  /** A task that was replaced by an earlier one does nothing, else tasks would accumulate. */
  private void scheduledDispatch(Instant due) {
    lock.lock();
    try {
      if (!due.equals(scheduled)) {
        return;
      }
      scheduled = Instant.MAX;
    } finally {
      lock.unlock();
    }
    try {
      dispatch();
    } catch (RuntimeException | Error e) {
      repeatAt(due);
      throw e;
    }
  }

  /** Lets the timer run the task of an instant again, unless an earlier one is scheduled. */
  private void repeatAt(Instant due) {
    lock.lock();
    try {
      scheduled = earlier(scheduled, due);
    } finally {
      lock.unlock();
    }
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  /**
   * Whether the model is unavailable, because its circuit is open or its endpoint asks for a pause
   * of more than a minute.
   */
  boolean isOpen() {
    lock.lock();
    try {
      Instant now = timer.instant();
      Instant until = circuit.admits(now);
      return until.isAfter(now) || limiter.pausedUntil().isAfter(now.plus(SHORT_PAUSE));
    } finally {
      lock.unlock();
    }
  }

  /** What the calls of a program wait for; null if none waits. */
  @Nullable ModelWait wait(String program) {
    lock.lock();
    try {
      List<Waiter> waiting = queue.of(program);
      if (waiting.isEmpty()) {
        return null;
      }
      WaitReport report = new WaitReport(model, waiting, timer.instant());
      CircuitBreaker.Outage outage = circuit.outage();
      ModelFailure cause = outage != null ? outage.cause() : report.lastFailure();
      if (cause == null || cause instanceof ModelFailure.RateLimited) {
        return limited(report);
      }
      return outage != null ? report.ofOutage(outage) : report.ofPauses(cause);
    } finally {
      lock.unlock();
    }
  }

  /** A wait for the limits of the model or of its key; null if there are none. */
  private @Nullable ModelWait limited(WaitReport report) {
    Instant now = timer.instant();
    Waiter next = queue.next();
    if (key == null && !limiter.isLimited(now)) {
      return null;
    }
    Instant at = next == null ? null : limiter.admits(estimate.of(next.characters()), now);
    return key != null && next != null && at != null && !at.isAfter(now)
        ? report.ofLimit(key.describe(), key.admits(estimate.of(next.characters()), now))
        : report.ofLimit(limiter.describe(), at);
  }

  /** Takes in the limits that a response states. */
  void reported(RateLimits stated) {
    lock.lock();
    try {
      limiter.reported(stated, timer.instant());
    } finally {
      lock.unlock();
    }
    dispatch();
  }

  /** Sets the part of the limits that this instance may use, in [0, 1]. */
  void share(double part) {
    lock.lock();
    try {
      limiter.share(part, timer.instant());
    } finally {
      lock.unlock();
    }
    dispatch();
  }

  /** The outcomes of all calls so far. */
  LoneFailure.Tally tally() {
    lock.lock();
    try {
      return new LoneFailure.Tally(answers, faults);
    } finally {
      lock.unlock();
    }
  }

  /** What this instance demands of the model; null without calls in the last minute. */
  @Nullable ModelDemand demand() {
    lock.lock();
    try {
      long used = admissions.count(timer.instant());
      int waiting = queue.ready();
      return used == 0 && waiting == 0 ? null : new ModelDemand(model, used, waiting);
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waits as an interrupt does; later ones end at once. */
  void close() {
    List<Waiter> waiting;
    lock.lock();
    try {
      closed = true;
      waiting = queue.drain();
    } finally {
      lock.unlock();
    }
    waiting.forEach(waiter -> waiter.cancel(false));
  }
}
