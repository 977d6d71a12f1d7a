package dev.abacus.topology.runtime;

import java.time.InstantSource;

/**
 * What the tasks of a process share. Several processors may use one instance, and then share one
 * concurrency budget; with {@link #withInFlight} a processor gets a budget of its own.
 *
 * @param inFlight the concurrency budget
 * @param threads who shares a stream thread with whom; one per process
 * @param receipts answers that were paid for
 * @param listener metrics
 * @param clock epochs admissions
 */
public record RuntimeServices(
    FairScheduler inFlight,
    StreamThreads threads,
    ReceiptLog receipts,
    RuntimeListener listener,
    InstantSource clock) {

  /** Work in virtual threads, at most {@code inFlight} at a time; no receipts, no metrics. */
  public static RuntimeServices of(int inFlight) {
    return new RuntimeServices(
        FairScheduler.inVirtualThreads(inFlight),
        new StreamThreads(),
        ReceiptLog.none(),
        RuntimeListener.NONE,
        InstantSource.system());
  }

  public RuntimeServices withInFlight(FairScheduler other) {
    return new RuntimeServices(other, threads, receipts, listener, clock);
  }

  public RuntimeServices withReceipts(ReceiptLog other) {
    return new RuntimeServices(inFlight, threads, other, listener, clock);
  }

  public RuntimeServices withListener(RuntimeListener other) {
    return new RuntimeServices(inFlight, threads, receipts, other, clock);
  }

  public RuntimeServices withClock(InstantSource other) {
    return new RuntimeServices(inFlight, threads, receipts, listener, other);
  }
}
