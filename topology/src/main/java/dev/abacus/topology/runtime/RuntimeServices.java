package dev.abacus.topology.runtime;

import java.time.InstantSource;

/**
 * What the tasks of a process share. Processors that use one instance share one concurrency limit;
 * {@link #withScheduler} gives a processor a limit of its own.
 *
 * @param program tasks of one program have one share of the permits together
 * @param threads one instance per process
 * @param memory one instance per process
 * @param refused one instance per application
 * @param commits one instance per application
 * @param ownership one instance per application
 * @param clock gives the time of admission
 */
public record RuntimeServices(
    FairScheduler scheduler,
    String program,
    StreamThreads threads,
    PendingMemory memory,
    ReceiptLog receipts,
    RuntimeListener listener,
    RefusedRecords refused,
    Commits commits,
    Ownership ownership,
    InstantSource clock) {

  /** Virtual threads, at most {@code limit} at a time; no receipts, no metrics. */
  public static RuntimeServices of(int limit) {
    return new RuntimeServices(
        FairScheduler.inVirtualThreads(limit),
        "",
        new StreamThreads(),
        PendingMemory.ofProcess(),
        ReceiptLog.none(),
        RuntimeListener.NONE,
        new RefusedRecords(),
        Commits.immediately(),
        Ownership.ALONE,
        InstantSource.system());
  }

  public RuntimeServices withScheduler(FairScheduler other) {
    return new RuntimeServices(
        other, program, threads, memory, receipts, listener, refused, commits, ownership, clock);
  }

  public RuntimeServices withProgram(String other) {
    return new RuntimeServices(
        scheduler, other, threads, memory, receipts, listener, refused, commits, ownership, clock);
  }

  public RuntimeServices withReceipts(ReceiptLog other) {
    return new RuntimeServices(
        scheduler, program, threads, memory, other, listener, refused, commits, ownership, clock);
  }

  public RuntimeServices withListener(RuntimeListener other) {
    return new RuntimeServices(
        scheduler, program, threads, memory, receipts, other, refused, commits, ownership, clock);
  }

  public RuntimeServices withCommits(Commits other) {
    return new RuntimeServices(
        scheduler, program, threads, memory, receipts, listener, refused, other, ownership, clock);
  }

  public RuntimeServices withRefused(RefusedRecords other) {
    return new RuntimeServices(
        scheduler, program, threads, memory, receipts, listener, other, commits, ownership, clock);
  }

  public RuntimeServices withOwnership(Ownership other) {
    return new RuntimeServices(
        scheduler, program, threads, memory, receipts, listener, refused, commits, other, clock);
  }
}
