package dev.abacus.topology.runtime;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The concurrency budget of a process, shared by its tasks. Thread-safe.
 *
 * <p>A permit that becomes free goes to the task that has the fewest jobs running among those that
 * have one to start. So every task gets its fair share when all want more than there is, and a task
 * may use what the others leave idle, until they come back.
 *
 * <p>A permit is released on the worker's thread the moment its job ends, and that thread starts
 * the next job itself: neither waits for a stream thread, which may be held up in another task.
 */
public final class FairScheduler {

  private static final Logger LOG = LoggerFactory.getLogger(FairScheduler.class);

  private final int limit;
  private final Executor executor;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Share> shares = new ArrayList<>();
  private int running;
  private long served;

  /**
   * A budget of so many jobs at a time.
   *
   * @param limit at least 1
   * @param executor starts jobs without waiting for them and without refusing them
   */
  public FairScheduler(int limit, Executor executor) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit below 1: " + limit);
    }
    this.limit = limit;
    this.executor = executor;
  }

  /** A budget whose jobs run on one virtual thread each. */
  public static FairScheduler inVirtualThreads(int limit) {
    Thread.Builder.OfVirtual threads = Thread.ofVirtual().name("abacus-work-", 0);
    return new FairScheduler(limit, threads::start);
  }

  /** How many jobs may run at a time. */
  public int limit() {
    return limit;
  }

  /** How many jobs are running. */
  public int running() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  /** Lets one more task take part. */
  Share open() {
    lock.lock();
    try {
      Share share = new Share();
      shares.add(share);
      return share;
    } finally {
      lock.unlock();
    }
  }

  /** Starts what may be started. */
  private void dispatch() {
    for (Start next = take(); next != null; next = take()) {
      try {
        executor.execute(next);
      } catch (RuntimeException | Error e) {
        // No thread could be had. The stream thread tries again in a few milliseconds.
        LOG.error("Cannot start work; it stays queued", e);
        giveBack(next);
        return;
      }
    }
  }

  private @Nullable Start take() {
    lock.lock();
    try {
      Share share = running < limit ? neediest() : null;
      ReadyJob job = share == null ? null : share.queue.poll();
      if (share == null || job == null) {
        return null;
      }
      running++;
      share.running.add(job);
      share.servedAt = ++served;
      return new Start(share, job);
    } finally {
      lock.unlock();
    }
  }

  /** Fewest jobs running first; among equals, the one that has waited longest for a turn. */
  private @Nullable Share neediest() {
    Share neediest = null;
    for (Share share : shares) {
      if (share.queue.canStart() && (neediest == null || share.needsMoreThan(neediest))) {
        neediest = share;
      }
    }
    return neediest;
  }

  private void release(Start ended) {
    lock.lock();
    try {
      running--;
      ended.share.running.remove(ended.job);
    } finally {
      lock.unlock();
    }
  }

  private void giveBack(Start failed) {
    lock.lock();
    try {
      release(failed);
      if (!failed.share.closed) {
        failed.share.queue.putBack(failed.job);
      }
    } finally {
      lock.unlock();
    }
  }

  /** A job with a permit; whatever happens in the job, the permit comes back. */
  private final class Start implements Runnable {
    private final Share share;
    private final ReadyJob job;

    private Start(Share share, ReadyJob job) {
      this.share = share;
      this.job = job;
    }

    @Override
    public void run() {
      try {
        job.run();
      } finally {
        release(this);
        dispatch();
      }
    }
  }

  /** One task's part of the budget. */
  final class Share {
    private final ReadyQueue queue = new ReadyQueue();
    private final Set<ReadyJob> running = new HashSet<>();
    private long servedAt;
    private boolean closed;

    private Share() {}

    private boolean needsMoreThan(Share other) {
      return running.size() != other.running.size()
          ? running.size() < other.running.size()
          : servedAt < other.servedAt;
    }

    /** Queues a job. It starts after the next {@link #pump} at the earliest. */
    void add(ReadyJob job) {
      lock.lock();
      try {
        queue.add(job);
      } finally {
        lock.unlock();
      }
    }

    /** Asks anew which epochs are ready, and starts what may be started. */
    void pump(LongPredicate ready) {
      for (long epoch : epochs()) {
        open(epoch, ready.test(epoch));
      }
      dispatch();
    }

    private List<Long> epochs() {
      lock.lock();
      try {
        return queue.epochs();
      } finally {
        lock.unlock();
      }
    }

    private void open(long epoch, boolean open) {
      lock.lock();
      try {
        queue.open(epoch, open);
      } finally {
        lock.unlock();
      }
    }

    /** How many queued jobs wait for their epoch. */
    int waitingForEpoch() {
      lock.lock();
      try {
        return queue.waitingForEpoch();
      } finally {
        lock.unlock();
      }
    }

    /**
     * Forgets what is queued and interrupts what is running. Permits of running jobs come back when
     * the jobs end, not before.
     */
    void close() {
      List<ReadyJob> started;
      lock.lock();
      try {
        closed = true;
        queue.clear();
        shares.remove(this);
        started = List.copyOf(running);
      } finally {
        lock.unlock();
      }
      started.forEach(ReadyJob::cancel);
    }
  }
}
