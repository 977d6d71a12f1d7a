package dev.abacus.topology.runtime;

/** A piece of work that waits for a permit of {@link FairScheduler}. */
interface ReadyJob extends Runnable {

  /** Starts may have to wait for this epoch. */
  long epoch();

  /** Orders the jobs of a share. */
  long sequence();

  /** Interrupts the job if it runs, and keeps it from running if it does not yet. */
  void cancel();
}
