package dev.abacus.schemas.avro;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets calls wait while the schema registry cannot be reached. The first of them tries again with
 * exponential backoff from 250 ms to 10 s; when it succeeds, the others follow. Each of them tries
 * by itself at times, too. Thread-safe.
 */
public final class RegistryOutage {

  private static final Logger LOG = LoggerFactory.getLogger(RegistryOutage.class);
  private static final Duration INITIAL_BACKOFF = Duration.ofMillis(250);
  private static final Duration MAX_BACKOFF = Duration.ofSeconds(10);

  private final InstantSource clock;

  /** After this, a waiting call tries by itself: a registry may refuse one subject only. */
  private final Duration ownAttempt;

  /** Whose turn it is to try again. */
  private final ReentrantLock turn = new ReentrantLock(true);

  private int waiting;
  private @Nullable Instant since;
  private String message = "";

  /** No outage. */
  RegistryOutage(InstantSource clock, Duration ownAttempt) {
    this.clock = clock;
    this.ownAttempt = ownAttempt;
  }

  /**
   * A current outage.
   *
   * @param waiting number of waiting calls
   * @param message the failure of the last attempt
   * @param since time of the first failure
   */
  public record State(int waiting, String message, Instant since) {}

  /** What needs the registry. */
  @FunctionalInterface
  public interface Call<T, X extends Exception> {
    T get() throws X;
  }

  /** The current outage; null if no call waits. */
  public synchronized @Nullable State state() {
    return since == null ? null : new State(waiting, message, since);
  }

  /**
   * Runs a call; waits and repeats it while the registry cannot be reached.
   *
   * @param begins runs when the call starts to wait
   * @param ends runs when it no longer waits
   * @throws X if the call fails with this
   * @throws SerializationException if the call fails for another reason
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public <T, X extends Exception> T call(Call<T, X> call, Runnable begins, Runnable ends)
      throws X, InterruptedException {
    try {
      return call.get();
    } catch (SerializationException e) {
      failed(e);
    }
    add(1);
    begins.run();
    try {
      while (!turn.tryLock(ownAttempt.toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          return call.get();
        } catch (SerializationException e) {
          failed(e);
        }
      }
      try {
        return repeat(call);
      } finally {
        turn.unlock();
      }
    } finally {
      add(-1);
      ends.run();
    }
  }

  private <T, X extends Exception> T repeat(Call<T, X> call) throws X, InterruptedException {
    Duration backoff = INITIAL_BACKOFF;
    while (true) {
      if (state() != null) {
        Thread.sleep(backoff);
      }
      try {
        T result = call.get();
        over();
        return result;
      } catch (SerializationException e) {
        failed(e);
        Duration doubled = backoff.multipliedBy(2);
        backoff = doubled.compareTo(MAX_BACKOFF) < 0 ? doubled : MAX_BACKOFF;
      }
    }
  }

  private synchronized void failed(SerializationException failure) {
    if (!AvroValues.mayBeRetried(failure)) {
      throw failure;
    }
    message = String.valueOf(failure.getMessage());
    if (since == null) {
      LOG.warn("The schema registry cannot be reached; records wait: {}", message);
      since = clock.instant();
    }
  }

  private synchronized void over() {
    if (since != null) {
      LOG.info("The schema registry can be reached again");
      since = null;
    }
  }

  private synchronized void add(int calls) {
    waiting += calls;
    since = waiting == 0 ? null : since;
  }
}
