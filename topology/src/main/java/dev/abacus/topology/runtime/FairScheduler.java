package dev.abacus.topology.runtime;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.LongPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the jobs of all programs of a process, up to a limit of concurrent jobs. Thread-safe.
 *
 * <p>A free permit goes to the program with the fewest running jobs among those that can start one;
 * within it to the task with the fewest, and within that to the key with the fewest; of equals to
 * the one that has waited longest. If the demand exceeds the limit, each program gets an equal
 * share, whatever its number of tasks; it may use permits that the others do not need.
 *
 * <p>The worker thread releases its permit when its job ends and starts the next job. It does not
 * wait for a stream thread, because another task may be blocking that. A job that waits for a model
 * {@linkplain Permit#suspend gives its permit back}, so that jobs which wait for one model do not
 * stop those which use another. The number of such jobs is bounded by the pending records of their
 * tasks. If they take their permits back and more than the limit are in use, programs below their
 * share still get each permit that is released.
 */
public final class FairScheduler {

  private static final Logger LOG = LoggerFactory.getLogger(FairScheduler.class);

  /** A job that waits for a permit. */
  interface Job extends Runnable {

    /** The job starts only when this epoch is ready. */
    long epoch();

    /** Position among the jobs of the task. */
    long sequence();

    /** The key whose jobs share; null if this job shares with no other. */
    default @Nullable Bytes key() {
      return null;
    }

    /** Called before {@link #run} with the permit of this job. */
    default void permit(Permit permit) {}

    /** Interrupts the job if it runs; otherwise it does nothing when it is started. */
    void cancel();
  }

  /** The permit of a running job. Thread-safe. */
  interface Permit {

    /** Gives the permit back while the job waits; nested calls count. */
    void suspend();

    /** Takes the permit again, even if more than the limit are then in use. */
    void resume();
  }

  private final Executor executor;

  /** Guarded by this, as are its tasks and their jobs. */
  private final FairShares shares;

  /**
   * A scheduler without tasks.
   *
   * @param limit number of concurrent jobs, at least 1
   * @param executor starts jobs; must not block
   */
  public FairScheduler(int limit, Executor executor) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit below 1: " + limit);
    }
    this.shares = new FairShares(limit);
    this.executor = executor;
  }

  /** A scheduler that runs each job on a virtual thread. */
  public static FairScheduler inVirtualThreads(int limit) {
    Thread.Builder.OfVirtual threads = Thread.ofVirtual().name("abacus-work-", 0);
    return new FairScheduler(limit, threads::start);
  }

  /** Number of permits in use. */
  public synchronized int running() {
    return shares.used();
  }

  /**
   * Adds a task.
   *
   * @param program the tasks of one program have one share together
   */
  synchronized TaskQueue newQueue(String program) {
    return new TaskQueue(program);
  }

  /** Starts as many jobs as there are permits. */
  private void dispatch() {
    for (Started next = take(); next != null; next = take()) {
      try {
        executor.execute(next);
      } catch (RuntimeException | Error e) {
        // For example no memory for a thread. The stream thread tries again in a few milliseconds.
        LOG.error("Cannot start a worker thread; the work stays queued", e);
        giveBack(next);
        return;
      }
    }
  }

  private synchronized @Nullable Started take() {
    TaskQueue task = (TaskQueue) shares.next();
    return task == null ? null : task.start();
  }

  /** Gives a permit back (-1) or takes it (1). */
  private void count(Started job, int permits) {
    ReadyQueue.count(job.next.lane(), permits);
    shares.count(job.task, permits);
  }

  private synchronized void release(Started ended) {
    ended.ended = true;
    if (ended.suspensions == 0) {
      count(ended, -1);
    }
    ended.task.running.remove(ended.next.job());
  }

  private synchronized void giveBack(Started failed) {
    release(failed);
    if (!failed.task.closed) {
      failed.task.waiting.putBack(failed.next);
      shares.update(failed.task);
    }
  }

  /** A job that holds a permit, and releases it however the job ends. */
  private final class Started implements Runnable, Permit {
    private final TaskQueue task;
    private final ReadyQueue.Next next;
    private int suspensions;
    private boolean ended;

    private Started(TaskQueue task, ReadyQueue.Next next) {
      this.task = task;
      this.next = next;
    }

    @Override
    public void run() {
      try {
        next.job().permit(this);
        next.job().run();
      } finally {
        release(this);
        dispatch();
      }
    }

    @Override
    public void suspend() {
      synchronized (FairScheduler.this) {
        if (suspensions++ == 0 && !ended) {
          count(this, -1);
        }
      }
      dispatch();
    }

    @Override
    public void resume() {
      synchronized (FairScheduler.this) {
        if (--suspensions == 0 && !ended) {
          count(this, 1);
        }
      }
    }
  }

  /** The jobs of one task. */
  final class TaskQueue extends FairShares.Task {
    private final ReadyQueue waiting = new ReadyQueue();

    /** Jobs that are not ended, those without a permit included. */
    private final Set<Job> running = new HashSet<>();

    private boolean closed;

    private TaskQueue(String program) {
      super(shares, program);
    }

    @Override
    boolean canStart() {
      return waiting.canStart();
    }

    private Started start() {
      ReadyQueue.Next next = Objects.requireNonNull(waiting.poll());
      running.add(next.job());
      shares.given(this);
      return new Started(this, next);
    }

    /** Queues a job. It does not start before the next {@link #dispatch}. */
    void add(Job job) {
      synchronized (FairScheduler.this) {
        waiting.add(job);
        shares.update(this);
      }
    }

    /**
     * Starts jobs of this and other tasks.
     *
     * @param ready whether jobs of an epoch may start; must return quickly and not use this
     *     scheduler
     */
    void dispatch(LongPredicate ready) {
      synchronized (FairScheduler.this) {
        waiting.update(ready);
        shares.update(this);
      }
      FairScheduler.this.dispatch();
    }

    /** Number of queued jobs whose epoch is not ready. */
    int waitingForEpoch() {
      synchronized (FairScheduler.this) {
        return waiting.waitingForEpoch();
      }
    }

    /**
     * Removes the task: drops queued jobs and interrupts running ones. A running job keeps its
     * permit until it ends.
     */
    void close() {
      List<Job> started;
      synchronized (FairScheduler.this) {
        closed = true;
        waiting.clear();
        shares.update(this);
        shares.remove(this);
        started = List.copyOf(running);
      }
      started.forEach(Job::cancel);
    }
  }
}
