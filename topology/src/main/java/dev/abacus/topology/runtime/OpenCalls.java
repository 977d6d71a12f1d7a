package dev.abacus.topology.runtime;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;

/**
 * Bounds what a kill of this process can lose: calls that run, and answers whose receipts Kafka has
 * not acknowledged. At the bound a call waits before it starts, so no further answer is paid for
 * while Kafka takes no receipts. The next call is one of the program with the fewest running calls.
 * Thread-safe.
 *
 * <p>The bound begins low and grows by one with each receipt. In a process that has just started,
 * classes are not loaded and code is not compiled: the answers to a whole backlog would wait for a
 * processor, paid for and without a receipt, for seconds. A program may have two calls in any case,
 * so that calls of another one that hang do not hold it back.
 *
 * <p>The limit of documents in process does not bound calls: documents that wait for a model give
 * their places up, and may all continue at once.
 */
public final class OpenCalls {

  private static final int LEAST_RESERVE = 16;

  private static final int FIRST_BOUND = 8;
  private static final int FEW = 2;

  private final int largestBound;

  // Guarded by this.
  private int bound;
  private int open;
  private int programs;
  private final TreeSet<OfProgram> waiting =
      new TreeSet<>(
          Comparator.<OfProgram>comparingInt(program -> program.running)
              .thenComparingInt(program -> program.number));

  /**
   * @param largestBound largest number of calls and receipts, at least 1
   */
  OpenCalls(int largestBound) {
    this.largestBound = largestBound;
    this.bound = Math.min(FIRST_BOUND, largestBound);
  }

  /**
   * The bound of a process: a quarter more than its documents in process, so that the wait for
   * acknowledgements in normal operation delays no call.
   */
  public static OpenCalls of(int inFlight) {
    return new OpenCalls(inFlight + Math.max(LEAST_RESERVE, inFlight / 4));
  }

  /** The calls of one more program. */
  public synchronized OfProgram ofProgram() {
    return new OfProgram(++programs);
  }

  /** The calls of one program. */
  public final class OfProgram {
    private final int number;
    private final SequencedSet<CountDownLatch> queue = new LinkedHashSet<>();
    private int running;

    private OfProgram(int number) {
      this.number = number;
    }

    /** Starts a call; waits at the bound. */
    public void start() throws InterruptedException {
      CountDownLatch started = queued();
      try {
        started.await();
      } catch (InterruptedException e) {
        leave(started);
        throw e;
      }
    }

    /** Queues a call. It starts at once if it may: then no other one that may start waits. */
    private CountDownLatch queued() {
      synchronized (OpenCalls.this) {
        CountDownLatch started = new CountDownLatch(1);
        queue.addLast(started);
        waiting.add(this);
        startWaiting();
        return started;
      }
    }

    private void leave(CountDownLatch started) {
      synchronized (OpenCalls.this) {
        if (started.getCount() == 0) {
          end();
          return;
        }
        queue.remove(started);
        if (queue.isEmpty()) {
          waiting.remove(this);
        }
      }
    }

    /** A call has ended. */
    public void end() {
      synchronized (OpenCalls.this) {
        count(-1);
        open--;
        startWaiting();
      }
    }

    private void count(int calls) {
      waiting.remove(this);
      running += calls;
      if (!queue.isEmpty()) {
        waiting.add(this);
      }
    }
  }

  private boolean admits(OfProgram program) {
    return open < bound || (program.running < FEW && open < largestBound);
  }

  private void startWaiting() {
    while (!waiting.isEmpty() && admits(waiting.first())) {
      OfProgram program = waiting.first();
      waiting.remove(program);
      CountDownLatch next = program.queue.removeFirst();
      program.count(1);
      open++;
      next.countDown();
    }
  }

  /** A receipt is to be written. Does not wait: its answer is paid for. */
  synchronized void receiptOpened() {
    open++;
  }

  /** Kafka has acknowledged or refused a receipt. */
  synchronized void receiptClosed() {
    open--;
    bound = Math.min(largestBound, bound + 1);
    startWaiting();
  }
}
