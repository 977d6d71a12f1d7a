package dev.abacus.topology.model.admission;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.InstanceStatus.ModelDemand;
import dev.abacus.schemas.control.InstanceStatus.ModelWait;
import dev.abacus.schemas.monitor.LogContext;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.RateLimits;
import dev.abacus.topology.model.admission.Caller.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SequencedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits the calls of one model in the order of their arrival, as the {@link CircuitBreaker} and
 * the {@link RateLimiter} allow. Calls of documents come before those of samples, but while samples
 * wait, every tenth admission is one of theirs. Thread-safe. Never blocks: a call that must wait is
 * a {@link Waiter}, which is completed by the event that admits it.
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

  /** A call that asks to be admitted. */
  static final class Waiter extends CompletableFuture<Decision> {
    private final Caller caller;
    private final Instant since;
    private final Instant notBefore;
    private final @Nullable ModelFailure last;
    private final long characters;

    /**
     * A call.
     *
     * @param characters of its prompt
     * @param since its first attempt
     * @param notBefore end of the pause after its last attempt
     * @param last the failure of its last attempt; null at the first
     */
    Waiter(
        Caller caller,
        long characters,
        Instant since,
        Instant notBefore,
        @Nullable ModelFailure last) {
      this.caller = caller;
      this.characters = characters;
      this.since = since;
      this.notBefore = notBefore;
      this.last = last;
    }

    private boolean hasPatience(ModelFailure cause, Instant now) {
      Duration patience = caller.patience();
      if (patience == null) {
        return true;
      }
      boolean needsOperator =
          cause instanceof ModelFailure.UnknownModel
              || cause instanceof ModelFailure.AuthenticationFailed;
      return !needsOperator && since.plus(patience).isAfter(now);
    }
  }

  private static final Duration SHORT_PAUSE = Duration.ofMinutes(1);

  /** Of so many admissions one is of a sample, if both kinds wait. */
  private static final int SAMPLE_SHARE = 10;

  private final String model;
  private final AdmissionTimer timer;
  private final ReentrantLock lock = new ReentrantLock();
  private final CircuitBreaker circuit = new CircuitBreaker();
  private final RateLimiter limiter;
  private final @Nullable KeyLimiter key;
  private final TokenEstimate estimate = new TokenEstimate();
  private final MinuteCounter admissions = new MinuteCounter();
  private int sinceSample;
  private final SequencedSet<Waiter> live = new LinkedHashSet<>();
  private final SequencedSet<Waiter> samples = new LinkedHashSet<>();
  private final PriorityQueue<Waiter> pausing =
      new PriorityQueue<>(Comparator.comparing((Waiter waiter) -> waiter.notBefore));

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
      } else if (waiter.notBefore.isAfter(timer.instant())) {
        pausing.add(waiter);
      } else {
        ready(waiter.caller.priority()).addLast(waiter);
      }
    } finally {
      lock.unlock();
    }
    dispatch();
  }

  private SequencedSet<Waiter> ready(Priority priority) {
    return switch (priority) {
      case LIVE -> live;
      case SAMPLE -> samples;
    };
  }

  /** Removes a call whose thread was interrupted. */
  void leave(Waiter waiter) {
    lock.lock();
    try {
      boolean _ = live.remove(waiter) || samples.remove(waiter) || pausing.remove(waiter);
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
      while (!pausing.isEmpty() && !pausing.element().notBefore.isAfter(now)) {
        Waiter waiter = pausing.remove();
        ready(waiter.caller.priority()).addLast(waiter);
      }
      giveUp(now, completions);
      Waiter next = next();
      Instant at = admits(next, now);
      while (next != null && !at.isAfter(now)) {
        Waiter admitted = next;
        Decision.Admitted decision = admit(admitted, now);
        completions.add(() -> complete(admitted, decision));
        next = next();
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
      long tokens = estimate.of(waiter.characters);
      at = limiter.admits(tokens, now);
      // The key is asked last, because asking it reserves.
      return key == null || at.isAfter(now) ? at : key.reserve(tokens, now);
    }
    return at;
  }

  private Decision.Admitted admit(Waiter waiter, Instant now) {
    ready(waiter.caller.priority()).remove(waiter);
    sinceSample = waiter.caller.priority() == Priority.SAMPLE ? 0 : sinceSample + 1;
    long tokens = estimate.of(waiter.characters);
    limiter.admitted(tokens);
    admissions.add(1, now);
    return new Decision.Admitted(circuit.admit(), now, tokens);
  }

  private void complete(Waiter waiter, Decision.Admitted decision) {
    if (!waiter.complete(decision)) {
      abandoned(decision);
    }
  }

  private @Nullable Waiter next() {
    boolean turnOfSamples = live.isEmpty() || sinceSample >= SAMPLE_SHARE - 1;
    return !samples.isEmpty() && turnOfSamples
        ? samples.getFirst()
        : live.isEmpty() ? null : live.getFirst();
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
    for (Waiter waiter : List.copyOf(samples)) {
      if (!waiter.hasPatience(cause, now) && !(probeDue && waiter == next())) {
        samples.remove(waiter);
        completions.add(() -> waiter.complete(new Decision.GivenUp(reason)));
      }
    }
  }

  private void schedule(Instant now, Instant admission) {
    Instant at = pausing.isEmpty() ? admission : earlier(admission, pausing.element().notBefore);
    if (admission.isAfter(now.plusSeconds(1))) {
      for (Waiter waiter : samples) {
        Duration patience = waiter.caller.patience();
        Instant end = patience == null ? Instant.MAX : waiter.since.plus(patience);
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
    dispatch();
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
      List<Waiter> waiting =
          Stream.of(live, samples, pausing)
              .flatMap(Collection::stream)
              .filter(waiter ->
                  waiter.caller.program().isEmpty() || waiter.caller.program().equals(program))
              .toList();
      CircuitBreaker.Outage outage = circuit.outage();
      ModelFailure cause =
          outage != null
              ? outage.cause()
              : waiting.stream()
                  .map(waiter -> waiter.last)
                  .filter(Objects::nonNull)
                  .findFirst()
                  .orElse(null);
      if (waiting.isEmpty()) {
        return null;
      }
      if (cause == null || cause instanceof ModelFailure.RateLimited) {
        return key != null || limiter.isLimited(timer.instant()) ? limited(waiting) : null;
      }
      Instant since =
          outage != null
              ? outage.since()
              : waiting.stream().map(waiter -> waiter.since).min(Instant::compareTo).orElseThrow();
      Instant until =
          outage != null
              ? outage.probeAt()
              : waiting.stream()
                  .map(waiter -> waiter.notBefore)
                  .min(Instant::compareTo)
                  .orElseThrow();
      return new ModelWait(model, causeOf(cause), cause.message(), waiting.size(), until, since);
    } finally {
      lock.unlock();
    }
  }

  /** A wait for the rate limiter; null if the calls start at this moment. */
  private @Nullable ModelWait limited(List<Waiter> waiting) {
    Instant now = timer.instant();
    Waiter next = next();
    String limit = limiter.describe();
    Instant until =
        next == null
            ? waiting.stream().map(each -> each.notBefore).min(Instant::compareTo).orElse(now)
            : limiter.admits(estimate.of(next.characters), now);
    if (key != null && next != null && !until.isAfter(now)) {
      limit = key.describe();
      until = key.admits(estimate.of(next.characters), now);
    }
    Instant since = waiting.stream().map(each -> each.since).min(Instant::compareTo).orElse(now);
    return new ModelWait(
        model,
        ModelWait.Cause.RATE_LIMIT,
        limit,
        waiting.size(),
        until.equals(Instant.MAX) ? null : until,
        since);
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
      int waiting = live.size() + samples.size();
      return used == 0 && waiting == 0 ? null : new ModelDemand(model, used, waiting);
    } finally {
      lock.unlock();
    }
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

  /** Ends all waits as an interrupt does; later ones end at once. */
  void close() {
    List<Waiter> waiting;
    lock.lock();
    try {
      closed = true;
      waiting = Stream.of(live, samples, pausing).flatMap(Collection::stream).toList();
      live.clear();
      samples.clear();
      pausing.clear();
    } finally {
      lock.unlock();
    }
    waiting.forEach(waiter -> waiter.cancel(false));
  }
}
