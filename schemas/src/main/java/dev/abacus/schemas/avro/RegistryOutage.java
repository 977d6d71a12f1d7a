package dev.abacus.schemas.avro;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets calls wait while the schema registry cannot be reached. One of the waiting calls tries again
 * with exponential backoff from 250 ms to 10 s; when it succeeds, all continue. Thread-safe.
 */
public final class RegistryOutage {

  private static final Logger LOG = LoggerFactory.getLogger(RegistryOutage.class);
  private static final Duration INITIAL_BACKOFF = Duration.ofMillis(250);
  private static final Duration MAX_BACKOFF = Duration.ofSeconds(10);

  private final InstantSource clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int waiting;
  private boolean probing;
  private Duration backoff = INITIAL_BACKOFF;
  private long nextProbe;
  private @Nullable Instant since;
  private String message = "";

  /** No outage. */
  RegistryOutage(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * A current outage.
   *
   * @param waiting number of waiting calls
   * @param message the failure of the last attempt
   * @param since time of the first failure
   */
  public record State(int waiting, String message, Instant since) {}

  /** Hears when a call starts and ends to wait. */
  public interface Waiter {
    void waiting();

    void resumed();
  }

  /** The current outage; null if no call waits. */
  public @Nullable State state() {
    lock.lock();
    try {
      return since == null ? null : new State(waiting, message, since);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs a call; waits and repeats it while the registry cannot be reached.
   *
   * @throws SerializationException if the call fails for another reason
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public <T> T call(Supplier<T> call, Waiter waiter) throws InterruptedException {
    try {
      return call.get();
    } catch (SerializationException e) {
      requireUnreachable(e);
      begin(e);
    }
    waiter.waiting();
    try {
      while (true) {
        boolean probe = awaitTurn();
        try {
          T result = call.get();
          ended(probe, null);
          return result;
        } catch (SerializationException e) {
          ended(probe, AvroValues.mayBeRetried(e) ? e : null);
          requireUnreachable(e);
        }
      }
    } finally {
      leave();
      waiter.resumed();
    }
  }

  private static void requireUnreachable(SerializationException failure) {
    if (!AvroValues.mayBeRetried(failure)) {
      throw failure;
    }
  }

  private void begin(SerializationException failure) {
    lock.lock();
    try {
      waiting++;
      message = String.valueOf(failure.getMessage());
      if (since == null) {
        LOG.warn("The schema registry cannot be reached; records wait: {}", message);
        since = clock.instant();
        backoff = INITIAL_BACKOFF;
        nextProbe = System.nanoTime() + backoff.toNanos();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the outage is over, or until this call must probe; returns whether it must. */
  private boolean awaitTurn() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (since != null) {
        long left = nextProbe - System.nanoTime();
        if (!probing && left <= 0) {
          probing = true;
          return true;
        }
        if (probing) {
          changed.await();
        } else {
          var _ = changed.await(left, TimeUnit.NANOSECONDS);
        }
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends an attempt.
   *
   * @param failure null if the registry answered
   */
  private void ended(boolean probe, @Nullable SerializationException failure) {
    lock.lock();
    try {
      if (probe) {
        probing = false;
        Duration doubled = backoff.multipliedBy(2);
        backoff = doubled.compareTo(MAX_BACKOFF) < 0 ? doubled : MAX_BACKOFF;
        nextProbe = System.nanoTime() + backoff.toNanos();
      }
      if (failure == null && probe) {
        LOG.info("The schema registry can be reached again");
        since = null;
      } else if (failure != null) {
        message = String.valueOf(failure.getMessage());
        since = since == null ? clock.instant() : since;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void leave() {
    lock.lock();
    try {
      if (--waiting == 0) {
        since = null;
        probing = false;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
