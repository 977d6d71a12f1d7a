package dev.abacus.topology.runtime;

import dev.abacus.topology.model.Receipts;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The receipts of a task. Knows the calls that are running, so that it can hand them over when the
 * task is closed: the calls go on, and their answers are recorded for the next owner. Thread-safe.
 */
final class TaskReceipts implements Receipts, AutoCloseable {

  private final ReceiptLog log;
  private final int partition;
  private final ReceiptLog.Snapshot restored;
  private final Ownership ownership;

  /** The stream thread of the task. */
  private final String thread = Thread.currentThread().getName();

  /** Number of running calls by request. Guarded by this. */
  private final Map<String, Integer> running = new HashMap<>();

  private boolean closed;
  private volatile Duration quiet = Duration.ZERO;

  /**
   * Receipts that are being read; the stream thread of the task calls this.
   *
   * @param restored the receipts of the partition that are in the log
   */
  TaskReceipts(ReceiptLog log, int partition, ReceiptLog.Snapshot restored, Ownership ownership) {
    this.log = log;
    this.partition = partition;
    this.restored = restored;
    this.ownership = ownership;
  }

  @Override
  public byte @Nullable [] find(String requestHash) throws InterruptedException {
    byte[] found = restored.find(requestHash);
    if (found != null) {
      quiet = Duration.ZERO;
    }
    synchronized (this) {
      if (closed) {
        throw new CancellationException("the task is closed");
      }
      if (found == null) {
        running.merge(requestHash, 1, Integer::sum);
        log.callStarted();
      }
    }
    return found;
  }

  /**
   * Precedes each attempt of a call. Waits until it is known that the task still belongs to this
   * process: its next owner may have the answer already.
   *
   * @throws InterruptedException if the task is closed; the attempt must not be made
   */
  void attempt() throws InterruptedException {
    boolean owned;
    do {
      owned = ownership.isConfirmed(thread);
      synchronized (this) {
        if (closed) {
          throw new InterruptedException("the task is closed");
        }
      }
    } while (!owned);
  }

  @Override
  public void record(String requestHash, byte[] response) {
    log.write(partition, requestHash, response);
    if (end(requestHash)) {
      // The handover may have been written after the receipt; the last statement must be true.
      log.write(partition, requestHash, response);
    }
  }

  @Override
  public void giveUp(String requestHash) {
    if (end(requestHash)) {
      log.giveUp(partition, requestHash);
    }
  }

  /** Ends a call; returns whether it was handed over. */
  private synchronized boolean end(String requestHash) {
    if (running.containsKey(requestHash)) {
      running.computeIfPresent(requestHash, (_, calls) -> calls == 1 ? null : calls - 1);
      log.callEnded();
    }
    return closed;
  }

  /**
   * Frees the receipts that were read if nothing asked for one for a long time.
   *
   * @param passed time since the last report
   */
  void report(Duration passed, Duration longTime) {
    Duration longer = quiet.plus(passed);
    quiet = longer;
    if (longer.compareTo(longTime) >= 0 && longer.minus(passed).compareTo(longTime) < 0) {
      restored.close();
    }
  }

  /** Hands the running calls and the receipts over to the next owner of the partition. */
  @Override
  public void close() {
    List<String> goingOn;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      goingOn = List.copyOf(running.keySet());
      log.closing(partition, goingOn);
    }
    log.handOver(partition, goingOn);
    restored.close();
  }
}
