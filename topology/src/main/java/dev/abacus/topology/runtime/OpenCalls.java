package dev.abacus.topology.runtime;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds what a kill of this process can lose: calls that run, and answers whose receipts Kafka has
 * not acknowledged. At the bound a call waits before it starts, so no further answer is paid for
 * while Kafka takes no receipts. Thread-safe.
 *
 * <p>The limit of documents in process does not bound calls: documents that wait for a model give
 * their places up, and may all continue at once.
 */
public final class OpenCalls {

  private static final int LEAST_RESERVE = 16;

  private final int bound;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private int open;

  /**
   * @param bound largest number of calls and receipts, at least 1
   */
  OpenCalls(int bound) {
    this.bound = bound;
  }

  /**
   * The bound of a process: a quarter more than its documents in process, so that the wait for
   * acknowledgements in normal operation delays no call.
   */
  public static OpenCalls of(int inFlight) {
    return new OpenCalls(inFlight + Math.max(LEAST_RESERVE, inFlight / 4));
  }

  /** Starts a call; waits at the bound. */
  public void start() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (open >= bound) {
        changed.await();
      }
      open++;
    } finally {
      lock.unlock();
    }
  }

  /** A call has ended. */
  public void end() {
    lock.lock();
    try {
      open--;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** A receipt is to be written. Does not wait: its answer is paid for. */
  void receiptOpened() {
    lock.lock();
    try {
      open++;
    } finally {
      lock.unlock();
    }
  }

  /** Kafka has acknowledged or refused a receipt. */
  void receiptClosed() {
    end();
  }
}
