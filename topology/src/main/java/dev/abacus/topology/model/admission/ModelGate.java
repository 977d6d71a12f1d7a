package dev.abacus.topology.model.admission;

import dev.abacus.schemas.control.InstanceStatus.ModelWait;
import dev.abacus.topology.model.ModelFailure;
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

/**
 * Admits the calls of one model: first those of documents, in the order of their arrival, then
 * those of samples, as the {@link CircuitBreaker} allows. Thread-safe. Never blocks: a call that
 * must wait is a {@link Waiter}, which is completed by the event that admits it.
 */
final class ModelGate {

  /** The answer to a call that asks to be admitted. */
  sealed interface Decision {

    /**
     * The call may start. It must report its end by {@link ModelGate#finished} or {@link
     * ModelGate#abandoned}.
     *
     * @param probe whether it is the probe of an open circuit
     */
    record Admitted(boolean probe) implements Decision {}

    /** The call has waited long enough for a model that fails for this reason. */
    record GivenUp(ModelFailure cause) implements Decision {}
  }

  /** A call that asks to be admitted. */
  static final class Waiter extends CompletableFuture<Decision> {
    private final Caller caller;
    private final Instant since;
    private final Instant notBefore;
    private final @Nullable ModelFailure last;

    /**
     * A call.
     *
     * @param since its first attempt
     * @param notBefore end of the pause after its last attempt
     * @param last the failure of its last attempt; null at the first
     */
    Waiter(Caller caller, Instant since, Instant notBefore, @Nullable ModelFailure last) {
      this.caller = caller;
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

  private final String model;
  private final AdmissionTimer timer;
  private final ReentrantLock lock = new ReentrantLock();
  private final CircuitBreaker circuit = new CircuitBreaker();
  private final SequencedSet<Waiter> live = new LinkedHashSet<>();
  private final SequencedSet<Waiter> samples = new LinkedHashSet<>();
  private final PriorityQueue<Waiter> pausing =
      new PriorityQueue<>(Comparator.comparing((Waiter waiter) -> waiter.notBefore));

  /** The next scheduled {@link #dispatch}; {@link Instant#MAX} if there is none. */
  private Instant scheduled = Instant.MAX;

  private boolean closed;

  ModelGate(String model, AdmissionTimer timer) {
    this.model = model;
    this.timer = timer;
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
   * @param fault the failure if the provider causes it; null for an answer
   * @return whether the circuit opened or closed because of an account or a key
   */
  boolean finished(Decision.Admitted admitted, @Nullable ModelFailure fault) {
    boolean ofAccount;
    lock.lock();
    try {
      ModelFailure before = cause();
      circuit.record(fault, admitted.probe(), timer.instant());
      ModelFailure after = cause();
      ofAccount = isOfAccount(before) != isOfAccount(after);
    } finally {
      lock.unlock();
    }
    dispatch();
    return ofAccount;
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
      while (next != null && !circuit.admits(now).isAfter(now)) {
        Waiter admitted = next;
        ready(admitted.caller.priority()).remove(admitted);
        Decision.Admitted decision = new Decision.Admitted(circuit.admit());
        completions.add(() -> admit(admitted, decision));
        next = next();
      }
      schedule(now, next != null);
    } finally {
      lock.unlock();
    }
    completions.forEach(Runnable::run);
  }

  private void admit(Waiter waiter, Decision.Admitted decision) {
    if (!waiter.complete(decision)) {
      abandoned(decision);
    }
  }

  private @Nullable Waiter next() {
    return !live.isEmpty() ? live.getFirst() : samples.isEmpty() ? null : samples.getFirst();
  }

  private void giveUp(Instant now, List<Runnable> completions) {
    ModelFailure cause = cause();
    if (cause == null) {
      return;
    }
    boolean probeDue = !circuit.admits(now).isAfter(now);
    for (Waiter waiter : List.copyOf(samples)) {
      if (!waiter.hasPatience(cause, now) && !(probeDue && waiter == next())) {
        samples.remove(waiter);
        completions.add(() -> waiter.complete(new Decision.GivenUp(cause)));
      }
    }
  }

  private void schedule(Instant now, boolean waiting) {
    Instant at = pausing.isEmpty() ? Instant.MAX : pausing.element().notBefore;
    if (waiting) {
      at = earlier(at, circuit.admits(now));
      if (circuit.outage() != null) {
        for (Waiter waiter : samples) {
          Duration patience = waiter.caller.patience();
          at = patience == null ? at : earlier(at, waiter.since.plus(patience));
        }
      }
    }
    if (at.isBefore(scheduled)) {
      scheduled = at;
      timer.schedule(Duration.between(now, at), this::scheduledDispatch);
    }
  }

  private void scheduledDispatch() {
    lock.lock();
    try {
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
   * Whether the model is unavailable, because its circuit is open. A rate limit that ends within a
   * minute does not count.
   */
  boolean isOpen() {
    lock.lock();
    try {
      Instant now = timer.instant();
      Instant until = circuit.admits(now);
      return circuit.outage() != null
          && until.isAfter(
              cause() instanceof ModelFailure.RateLimited ? now.plus(SHORT_PAUSE) : now);
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
      if (waiting.isEmpty() || cause == null) {
        return null;
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
          ModelFailure.Truncated _ ->
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
