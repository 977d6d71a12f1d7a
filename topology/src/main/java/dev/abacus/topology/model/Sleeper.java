package dev.abacus.topology.model;

import java.time.Duration;

/** Lets time pass. */
@FunctionalInterface
public interface Sleeper {

  /** Returns after that long. */
  void of(Duration duration) throws InterruptedException;

  /** Real time. */
  static Sleeper sleeping() {
    return Thread::sleep;
  }
}
