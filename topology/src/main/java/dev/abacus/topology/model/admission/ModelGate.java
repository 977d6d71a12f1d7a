package dev.abacus.topology.model.admission;

import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.InstanceStatus.ModelDemand;
import dev.abacus.schemas.control.InstanceStatus.ModelHealth;
import dev.abacus.schemas.control.ModelWait;
import dev.abacus.schemas.monitor.LogContext;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.admission.WaitQueue.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits the calls of one model in the order of their arrival, as its {@link ModelCapacity} allows.
 * Calls of documents come before those of samples, but while samples wait, every tenth admission is
 * one of theirs. Thread-safe. Never blocks: a call that must wait is a {@link WaitQueue.Waiter},
 * whose decision is completed by the event that admits it.
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

  private final String model;
  private final AdmissionTimer timer;
  private final ModelCapacity capacity;
  private final WaitQueue queue = new WaitQueue();

  /** The next scheduled {@link #dispatch}; {@link Instant#MAX} if there is none. */
  private Instant scheduled = Instant.MAX;

  private boolean closed;

  /**
   * A gate without calls.
   *
   * @param inProcess as {@link ModelCard#isInProcess}
   * @param key the limiter of all models with the same key; null if it has no limits
   */
  ModelGate(
      String model,
      boolean inProcess,
      CallLimits limits,
      @Nullable RateLimiter key,
      AdmissionTimer timer) {
    this.model = model;
    this.timer = timer;
    this.capacity = new ModelCapacity(model, inProcess, limits, key);
  }

  /** Changes the capacity, and admits the calls that it then allows. */
  void change(BiConsumer<ModelCapacity, Instant> change) {
    synchronized (this) {
      change.accept(capacity, timer.instant());
    }
    dispatch();
  }

  /** Queues a call. It may be completed before this method returns. */
  void enter(Waiter waiter) {
    change((_, now) -> {
      if (closed) {
        waiter.decision().cancel(false);
      } else {
        queue.add(waiter, now);
      }
    });
  }

  /** Removes a call whose thread was interrupted. */
  void leave(Waiter waiter) {
    synchronized (this) {
      queue.remove(waiter);
    }
    CompletableFuture<Decision> decision = waiter.decision();
    if (!decision.cancel(false) && decision.join() instanceof Decision.Admitted admitted) {
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
    synchronized (this) {
      before = capacity.cause();
      boolean outOfAccount = capacity.isOutOfAccount();
      capacity.finished(admitted, characters, fault, used, timer.instant());
      after = capacity.cause();
      ofAccount = outOfAccount != capacity.isOutOfAccount();
    }
    log(before, after);
    dispatch();
    return ofAccount;
  }

  private void log(@Nullable ModelFailure before, @Nullable ModelFailure after) {
    if (before == null && after != null) {
      LOG.warn(
          "Model {} cannot be called; its documents wait: {}",
          model,
          LogContext.shortened(after.message()));
    } else if (before != null && after == null) {
      LOG.info("Model {} answers again; its documents continue", model);
    }
  }

  /** An admitted call ended without an outcome, because its thread was interrupted. */
  void abandoned(Decision.Admitted admitted) {
    change((_, now) -> capacity.abandoned(admitted, now));
  }

  /** Completes the calls whose turn it is, and schedules the next time to look. */
  private void dispatch() {
    List<Runnable> completions = new ArrayList<>();
    synchronized (this) {
      Instant now = timer.instant();
      queue.wake(now);
      giveUp(now, completions);
      Waiter next = queue.next();
      Instant at = admits(next, now);
      while (next != null && !at.isAfter(now)) {
        Waiter admitted = next;
        queue.admitted(admitted);
        Decision.Admitted decision = capacity.admit(admitted, now);
        completions.add(() -> complete(admitted, decision));
        next = queue.next();
        at = admits(next, now);
      }
      schedule(now, at);
    }
    completions.forEach(Runnable::run);
  }

  private Instant admits(@Nullable Waiter waiter, Instant now) {
    return waiter == null ? Instant.MAX : capacity.admits(waiter, now);
  }

  private void complete(Waiter waiter, Decision.Admitted decision) {
    if (!waiter.decision().complete(decision)) {
      abandoned(decision);
    }
  }

  private void giveUp(Instant now, List<Runnable> completions) {
    ModelFailure cause = capacity.unavailable(now);
    if (cause == null) {
      return;
    }
    boolean probeDue = capacity.circuitAdmits(now);
    for (Waiter waiter : queue.samples()) {
      if (!waiter.hasPatience(cause, now) && !(probeDue && waiter.equals(queue.next()))) {
        queue.remove(waiter);
        completions.add(() -> waiter.decision().complete(new Decision.GivenUp(cause)));
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
    synchronized (this) {
      if (!due.equals(scheduled)) {
        return;
      }
      scheduled = Instant.MAX;
    }
    try {
      dispatch();
    } catch (RuntimeException | Error e) {
      repeatAt(due);
      throw e;
    }
  }

  /** Lets the timer run the task of an instant again, unless an earlier one is scheduled. */
  private synchronized void repeatAt(Instant due) {
    scheduled = earlier(scheduled, due);
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  /** How the model answers. */
  synchronized ModelHealth health() {
    return capacity.health(timer.instant());
  }

  /** What the calls of a program wait for; null if none waits. */
  synchronized @Nullable ModelWait wait(String program) {
    List<Waiter> waiting = queue.of(program);
    return waiting.isEmpty() ? null : capacity.wait(waiting, queue.next(), timer.instant());
  }

  /** The outcomes of all calls so far. */
  synchronized LoneFailure.Tally tally() {
    return capacity.tally();
  }

  /** What this instance demands of the model; null without calls in the last minute. */
  synchronized @Nullable ModelDemand demand() {
    long used = capacity.admittedLately(timer.instant());
    int waiting = queue.ready();
    return used == 0 && waiting == 0 ? null : new ModelDemand(model, used, waiting);
  }

  /** Ends all waits as an interrupt does; later ones end at once. */
  void close() {
    List<Waiter> waiting;
    synchronized (this) {
      closed = true;
      waiting = queue.drain();
    }
    waiting.forEach(waiter -> waiter.decision().cancel(false));
  }
}
