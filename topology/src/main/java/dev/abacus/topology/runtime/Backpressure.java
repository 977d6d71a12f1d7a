package dev.abacus.topology.runtime;

/**
 * Blocks the stream thread while a task has too many pending records, because a processor cannot
 * pause its partitions.
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
  private final RuntimeListener listener;

  Backpressure(StreamThreads.Member member, RuntimeSettings settings, RuntimeListener listener) {
    this.member = member;
    this.bound = settings.pendingBound();
    this.sliceNanos = settings.slice().toNanos();
    this.listener = listener;
  }

  /** Called after each admission. */
  void afterAdmission(AsyncTask task) {
    member.recordReceived();
    if (task.load() >= bound) {
      block(task);
    }
    observe(task);
  }

  private void block(AsyncTask task) {
    long start = System.nanoTime();
    long slice = slice(task.load());
    long left = slice;
    try {
      while (task.load() >= bound && left > 0) {
        task.drain(Math.min(left, LONGEST_WAIT_NANOS));
        left = slice - (System.nanoTime() - start);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    listener.backpressure(System.nanoTime() - start);
  }

  private long slice(int pending) {
    if (!member.isContended()) {
      return sliceNanos;
    }
    double excess = (double) (pending - bound) / bound;
    return (long) (sliceNanos * Math.min(1, excess / (FULL_SLICE_AT - 1)));
  }

  /** Tells the other tasks of the thread whether this one is full. Called regularly. */
  void observe(AsyncTask task) {
    member.full(task.load() >= bound);
  }

  void close() {
    member.leave();
  }
}
