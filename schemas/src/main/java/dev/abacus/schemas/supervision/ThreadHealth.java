package dev.abacus.schemas.supervision;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The health of one thread: counts and logs its failures, and computes the pauses before its
 * restarts. Thread-safe.
 */
public final class ThreadHealth {

  /** Time after which a step that has not finished counts as stalled. */
  public static final Duration STALLED_AFTER = Duration.ofMinutes(2);

  private static final Logger LOG = LoggerFactory.getLogger(ThreadHealth.class);

  /** Time without a failure after which a thread that has failed again and again works. */
  static final Duration RELAPSE = Duration.ofMinutes(1);

  /** Kafka's clients stand still for as long as the clock is behind what they have read. */
  private static final Duration SET_BACK = Duration.ofSeconds(10);

  /** Characters of a cause in status records. */
  private static final int LONGEST_CAUSE = 1_000;

  private final String thread;
  private final RestartPolicy policy;
  private final InstantSource clock;
  private final Function<Throwable, String> describe;
  private final Consumer<ThreadStatus> onEnd;

  // Guarded by this.
  private ThreadStatus.State state = ThreadStatus.State.RUNNING;
  private Instant since;
  private @Nullable Instant step;
  private Instant begun;
  private long failures;
  private long skipped;
  private int inSuccession;
  private @Nullable String cause;

  /** The last failure, as the status says it. */
  private @Nullable ThreadStatus failing;

  /** Failures that each came soon after the one before, with successful steps between. */
  private int relapses;

  ThreadHealth(
      String thread,
      RestartPolicy policy,
      InstantSource clock,
      Function<Throwable, String> describe,
      Consumer<ThreadStatus> onEnd) {
    this.describe = describe;
    this.thread = thread;
    this.policy = policy;
    this.clock = clock;
    this.onEnd = onEnd;
    this.since = clock.instant();
    this.begun = since;
  }

  /**
   * Notes that a step begins.
   *
   * @throws ClockSetBackException if it begins well before the step before
   */
  synchronized void stepBegins() {
    Instant before = begun;
    begun = clock.instant();
    step = begun;
    Duration back = Duration.between(begun, before);
    if (back.compareTo(SET_BACK) > 0) {
      throw new ClockSetBackException(back);
    }
  }

  /** Notes that a step has succeeded. */
  public synchronized void succeeded() {
    step = null;
    inSuccession = 0;
    if (state != ThreadStatus.State.RUNNING) {
      LOG.info("Thread '{}' works again after {} failures", thread, failures);
      become(ThreadStatus.State.RUNNING);
      cause = null;
    }
  }

  /**
   * Notes that a step has failed. Tells the supervisor if the thread must not try again.
   *
   * @return the pause before the next attempt; null if the thread must not try again
   */
  public @Nullable Duration failed(Throwable failure) {
    Duration pause = pauseAfter(failure);
    if (pause == null) {
      onEnd.accept(status());
    }
    return pause;
  }

  private synchronized @Nullable Duration pauseAfter(Throwable failure) {
    step = null;
    failures++;
    inSuccession++;
    String text = text(failure);
    boolean ends = policy.ends(failure, inSuccession);
    if (ends) {
      LOG.error("Thread '{}' ends after failure {}: {}", thread, failures, text, failure);
    } else if (text.equals(cause)) {
      LOG.warn("Thread '{}' failed again (failure {}): {}", thread, failures, text);
    } else {
      LOG.warn("Thread '{}' failed (failure {}), tries again: {}", thread, failures, text, failure);
    }
    cause = text;
    if (!failsAgain()) {
      relapses = 0;
    } else if (state == ThreadStatus.State.RUNNING) {
      relapses++;
    }
    if (ends) {
      become(ThreadStatus.State.FAILED);
      return null;
    }
    if (state != ThreadStatus.State.RESTARTING) {
      become(ThreadStatus.State.RESTARTING);
    }
    failing = new ThreadStatus(thread, state, clock.instant(), failures, skipped, cause);
    return policy.pause(inSuccession);
  }

  /**
   * Notes that the thread skips a record that it cannot use.
   *
   * @param record topic, partition and offset of the record
   */
  public synchronized void skipped(Object record, Throwable failure) {
    skipped++;
    LOG.warn(
        "Thread '{}' skips the record at {} ({} skipped so far): {}",
        thread,
        record,
        skipped,
        text(failure));
    LOG.debug("The cause of the skipped record at {}", record, failure);
  }

  /** The state now. */
  public synchronized ThreadStatus status() {
    Instant running = step;
    if (state == ThreadStatus.State.RUNNING
        && running != null
        && Duration.between(running, clock.instant()).compareTo(STALLED_AFTER) > 0) {
      return new ThreadStatus(
          thread, ThreadStatus.State.STALLED, running, failures, skipped, "a step does not end");
    }
    // A thread may fail again and again at the same work behind steps that succeed.
    ThreadStatus last = failing;
    return state == ThreadStatus.State.RUNNING && last != null && relapses > 1 && failsAgain()
        ? last
        : new ThreadStatus(thread, state, since, failures, skipped, cause);
  }

  private boolean failsAgain() {
    return failing != null
        && Duration.between(failing.since(), clock.instant()).compareTo(RELAPSE) < 0;
  }

  private void become(ThreadStatus.State next) {
    state = next;
    since = clock.instant();
  }

  private String text(Throwable failure) {
    String text = describe.apply(failure).replaceAll("\\s*\\R\\s*", " ");
    return text.length() <= LONGEST_CAUSE ? text : text.substring(0, LONGEST_CAUSE) + "…";
  }
}
