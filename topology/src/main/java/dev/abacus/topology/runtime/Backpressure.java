package dev.abacus.topology.runtime;

import dev.abacus.topology.runtime.StreamThreads.Seat;

/**
 * Holds the stream thread up while a task has more pending records than its bound, in slices: a
 * processor cannot pause its partitions.
 *
 * <p>A slice ends as soon as the task is below its bound. At its end the record is accepted anyway
 * (it stays in the store, see {@link AsyncTask}), so that transactions can commit and the consumer
 * can poll. While other tasks of the thread have records to take, slices are short at first and
 * grow with the excess, to full length at {@value #FULL_SLICE_AT} times the bound: a task that
 * stands still for a while does not starve its neighbours, and one that stands still for long does
 * not fill the disk.
 */
final class Backpressure {

  private static final int FULL_SLICE_AT = 10;
  private static final long LONGEST_WAIT_NANOS = 5_000_000;

  private final Seat seat;
  private final int bound;
  private final long sliceNanos;
  private final RuntimeListener listener;

  Backpressure(Seat seat, RuntimeSettings settings, RuntimeListener listener) {
    this.seat = seat;
    this.bound = settings.pendingBound();
    this.sliceNanos = settings.slice().toNanos();
    this.listener = listener;
  }

  /** Called for every record, after it was admitted. */
  void afterAdmission(AsyncTask task) {
    seat.arrived();
    if (task.pending() >= bound) {
      hold(task);
    }
    seat.full(task.pending() >= bound);
  }

  private void hold(AsyncTask task) {
    long start = System.nanoTime();
    long slice = slice(task.pending());
    long left = slice;
    try {
      while (task.pending() >= bound && left > 0) {
        task.drain(Math.min(left, LONGEST_WAIT_NANOS));
        left = slice - (System.nanoTime() - start);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    listener.backpressure(System.nanoTime() - start);
  }

  private long slice(int pending) {
    if (!seat.contended()) {
      return sliceNanos;
    }
    double excess = (double) (pending - bound) / bound;
    return (long) (sliceNanos * Math.min(1, excess / (FULL_SLICE_AT - 1)));
  }

  /** Called now and then, so that neighbours know where the task stands. */
  void observe(AsyncTask task) {
    seat.full(task.pending() >= bound);
  }

  void close() {
    seat.leave();
  }
}
