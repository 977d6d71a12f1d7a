package dev.abacus.topology.model.admission;

import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.admission.Caller.Priority;
import dev.abacus.topology.model.admission.ModelGate.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SequencedSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for one model, in the order of their admission: first in, first out, calls of
 * documents before those of samples, but while both wait, every tenth admission is of a sample. A
 * call that pauses after a failed attempt is ready after its pause. Not thread-safe; {@link
 * ModelGate} guards it.
 */
final class WaitQueue {

  /**
   * A call that asks to be admitted.
   *
   * @param characters of its prompt
   * @param since its first attempt
   * @param notBefore end of the pause after its last attempt
   * @param last the failure of its last attempt; null at the first
   * @param decision the answer, when there is one
   */
  record Waiter(
      Caller caller,
      long characters,
      Instant since,
      Instant notBefore,
      @Nullable ModelFailure last,
      CompletableFuture<Decision> decision) {

    Waiter(
        Caller caller,
        long characters,
        Instant since,
        Instant notBefore,
        @Nullable ModelFailure last) {
      this(caller, characters, since, notBefore, last, new CompletableFuture<>());
    }

    /** The end of its patience; {@link Instant#MAX} if it waits without limit. */
    Instant endOfPatience() {
      Duration patience = caller.patience();
      return patience == null ? Instant.MAX : since.plus(patience);
    }

    /** Whether the call goes on waiting for a model that fails for this reason. */
    boolean hasPatience(ModelFailure cause, Instant now) {
      boolean needsOperator =
          cause instanceof ModelFailure.UnknownModel
              || cause instanceof ModelFailure.AuthenticationFailed;
      return caller.patience() == null || (!needsOperator && endOfPatience().isAfter(now));
    }
  }

  /** Of so many admissions one is of a sample, if both kinds wait. */
  private static final int SAMPLE_SHARE = 10;

  private final SequencedSet<Waiter> live = new LinkedHashSet<>();
  private final SequencedSet<Waiter> samples = new LinkedHashSet<>();
  private final PriorityQueue<Waiter> pausing =
      new PriorityQueue<>(Comparator.comparing(Waiter::notBefore));
  private int sinceSample;

  /** Adds a call. */
  void add(Waiter waiter, Instant now) {
    if (waiter.notBefore.isAfter(now)) {
      pausing.add(waiter);
    } else {
      ready(waiter).addLast(waiter);
    }
  }

  private SequencedSet<Waiter> ready(Waiter waiter) {
    return switch (waiter.caller.priority()) {
      case LIVE -> live;
      case SAMPLE -> samples;
    };
  }

  /** Removes a call, if it waits. */
  void remove(Waiter waiter) {
    boolean _ = live.remove(waiter) || samples.remove(waiter) || pausing.remove(waiter);
  }

  /** Makes the calls ready whose pauses are over. */
  void wake(Instant now) {
    while (!pausing.isEmpty() && !pausing.element().notBefore.isAfter(now)) {
      Waiter waiter = pausing.remove();
      ready(waiter).addLast(waiter);
    }
  }

  /** When the next pause ends; {@link Instant#MAX} if no call pauses. */
  Instant nextWake() {
    return pausing.isEmpty() ? Instant.MAX : pausing.element().notBefore;
  }

  /** The call to admit next; null if none is ready. */
  @Nullable Waiter next() {
    boolean turnOfSamples = live.isEmpty() || sinceSample >= SAMPLE_SHARE - 1;
    return !samples.isEmpty() && turnOfSamples
        ? samples.getFirst()
        : live.isEmpty() ? null : live.getFirst();
  }

  /** Removes a call that is admitted. */
  void admitted(Waiter waiter) {
    ready(waiter).remove(waiter);
    sinceSample = waiter.caller.priority() == Priority.SAMPLE ? 0 : sinceSample + 1;
  }

  /** The samples that are ready. */
  List<Waiter> samples() {
    return List.copyOf(samples);
  }

  /** The number of calls that are ready. */
  int ready() {
    return live.size() + samples.size();
  }

  /** The calls of a program, and those that programs share. */
  List<Waiter> of(String program) {
    return all()
        .filter(
            waiter -> waiter.caller.program().isEmpty() || waiter.caller.program().equals(program))
        .toList();
  }

  private Stream<Waiter> all() {
    return Stream.of(live, samples, pausing).flatMap(Collection::stream);
  }

  /** Removes all calls. */
  List<Waiter> drain() {
    List<Waiter> all = all().toList();
    live.clear();
    samples.clear();
    pausing.clear();
    return all;
  }
}
