package dev.abacus.topology.runtime;

import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Blocks the stream thread while a task has too many pending records, because a processor cannot
 * pause its partitions; and if that does not help, lets {@link StreamThreads} hold them.
 *
 * <p>Each record blocks the thread for one slice at most, or until the task is below its bound. The
 * record is then accepted in any case and stays in the store, see {@link AsyncTask}, so that
 * transactions can commit and the consumer can poll. If another task of the thread has records to
 * process, slices start short and grow with the excess, to full length at {@value #FULL_SLICE_AT}
 * times the bound. So a task that is blocked for a short time does not starve the others, and one
 * that is blocked for a long time does not fill the disk.
 */
final class Backpressure {

  private static final int FULL_SLICE_AT = 10;
  private static final long LONGEST_WAIT_NANOS = 5_000_000;

  private final StreamThreads.Member member;
  private final int bound;
  private final long sliceNanos;

  Backpressure(StreamThreads.Member member, RuntimeSettings settings) {
    this.member = member;
    this.bound = settings.pendingBound();
    this.sliceNanos = settings.slice().toNanos();
  }

  /**
   * Called after each admission.
   *
   * @param source of the record; null if it is not known
   */
  void afterAdmission(AsyncTask task, @Nullable TopicPartition source) {
    member.recordReceived(source);
    if (task.isFull()) {
      block(task);
    }
    observe(task);
  }

  private void block(AsyncTask task) {
    long start = System.nanoTime();
    long slice = slice(task.load());
    long left = slice;
    try {
      while (task.isFull() && left > 0) {
        task.drain(Math.min(left, LONGEST_WAIT_NANOS));
        left = slice - (System.nanoTime() - start);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private long slice(int pending) {
    if (!member.isContended()) {
      return sliceNanos;
    }
    double excess = (double) (pending - bound) / bound;
    return (long) (sliceNanos * Math.clamp(excess / (FULL_SLICE_AT - 1), 0, 1));
  }

  /**
   * Tells the thread whether the task has work, whether it is full, and whether it has spilled
   * records. Called regularly.
   */
  void observe(AsyncTask task) {
    member.pending(task.pending() > 0, task.isFull(), task.hasSpilled());
  }

  void close() {
    member.leave();
  }
}
