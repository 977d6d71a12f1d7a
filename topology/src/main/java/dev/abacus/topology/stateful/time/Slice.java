package dev.abacus.topology.stateful.time;

import java.time.Duration;
import java.time.InstantSource;

/**
 * The share of the stream thread that a task may take at a time. What it does not finish, it goes
 * on with after the thread has polled, served its other tasks and committed if a commit is due.
 */
public final class Slice {

  private static final Duration LENGTH = Duration.ofMillis(100);

  private final InstantSource clock;
  private final long begin;

  /** A slice that begins now. */
  Slice(InstantSource clock) {
    this.clock = clock;
    this.begin = clock.millis();
  }

  /**
   * Whether the time is over. Ask after a piece of work, or work whose reading takes as long would
   * never come on. A clock that is set back ends a slice too.
   */
  public boolean isOver() {
    return Math.abs(clock.millis() - begin) >= LENGTH.toMillis();
  }
}
