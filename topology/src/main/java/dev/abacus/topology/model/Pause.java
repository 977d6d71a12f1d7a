package dev.abacus.topology.model;

import java.time.Duration;

/** Lets time pass. */
@FunctionalInterface
public interface Pause {

  /** Returns after that long. */
  void of(Duration duration) throws InterruptedException;

  /** Real time. */
  static Pause sleeping() {
    return Thread::sleep;
  }
}
