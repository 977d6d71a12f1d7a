package dev.abacus.topology.runtime;

/** A piece of work that waits for a permit of {@link InFlight}. */
interface ReadyJob extends Runnable {

  /** Starts may have to wait for this stamp. */
  long stamp();

  /** Orders the jobs of a share. */
  long sequence();

  /** Interrupts the job if it runs, and keeps it from running if it does not yet. */
  void cancel();
}
