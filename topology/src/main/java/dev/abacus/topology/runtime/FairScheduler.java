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
 * Starts the jobs of all tasks of a process, up to a limit of concurrent jobs. Thread-safe.
 *
 * <p>A free permit goes to the task with the fewest running jobs among the tasks that can start
 * one. If the demand exceeds the limit, each task gets an equal share; a task may use permits that
 * the others do not need.
 *
 * <p>The worker thread releases its permit when its job ends and starts the next job. It does not
 * wait for a stream thread, because another task may be blocking that. A job that waits for a model
 * {@linkplain Permit#suspend gives its permit back}, so that jobs which wait for one model do not
 * stop those which use another. The number of such jobs is bounded by the pending records of their
 * tasks.
 */
public final class FairScheduler {

  private static final Logger LOG = LoggerFactory.getLogger(FairScheduler.class);

  /** A job that waits for a permit. */
  interface Job extends Runnable {

    /** The job starts only when this epoch is ready. */
    long epoch();

    /** Position among the jobs of the task. */
    long sequence();

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

  private final int limit;
  private final Executor executor;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<TaskQueue> tasks = new ArrayList<>();
  private int running;
  private long starts;

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
    this.limit = limit;
    this.executor = executor;
  }

  /** A scheduler that runs each job on a virtual thread. */
  public static FairScheduler inVirtualThreads(int limit) {
    Thread.Builder.OfVirtual threads = Thread.ofVirtual().name("abacus-work-", 0);
    return new FairScheduler(limit, threads::start);
  }

  /** Number of permits in use. */
  public int running() {
    lock.lock();
    try {
      return running;
    } finally {
      lock.unlock();
    }
  }

  /** Adds a task. */
  TaskQueue newQueue() {
    lock.lock();
    try {
      TaskQueue task = new TaskQueue();
      tasks.add(task);
      return task;
    } finally {
      lock.unlock();
    }
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

  private @Nullable Started take() {
    lock.lock();
    try {
      TaskQueue task = running < limit ? neediest() : null;
      Job job = task == null ? null : task.waiting.poll();
      if (task == null || job == null) {
        return null;
      }
      running++;
      task.active++;
      task.running.add(job);
      task.lastStart = ++starts;
      return new Started(task, job);
    } finally {
      lock.unlock();
    }
  }

  /** The task with the fewest running jobs; of equals, the one that has waited longest. */
  private @Nullable TaskQueue neediest() {
    TaskQueue neediest = null;
    for (TaskQueue task : tasks) {
      if (task.waiting.canStart() && (neediest == null || task.needsMoreThan(neediest))) {
        neediest = task;
      }
    }
    return neediest;
  }

  private void release(Started ended) {
    lock.lock();
    try {
      ended.ended = true;
      if (ended.suspensions == 0) {
        running--;
        ended.task.active--;
      }
      ended.task.running.remove(ended.job);
    } finally {
      lock.unlock();
    }
  }

  private void giveBack(Started failed) {
    lock.lock();
    try {
      release(failed);
      if (!failed.task.closed) {
        failed.task.waiting.putBack(failed.job);
      }
    } finally {
      lock.unlock();
    }
  }

  /** A job that holds a permit, and releases it however the job ends. */
  private final class Started implements Runnable, Permit {
    private final TaskQueue task;
    private final Job job;
    private int suspensions;
    private boolean ended;

    private Started(TaskQueue task, Job job) {
      this.task = task;
      this.job = job;
    }

    @Override
    public void run() {
      try {
        job.permit(this);
        job.run();
      } finally {
        release(this);
        dispatch();
      }
    }

    @Override
    public void suspend() {
      lock.lock();
      try {
        if (suspensions++ == 0 && !ended) {
          running--;
          task.active--;
        }
      } finally {
        lock.unlock();
      }
      dispatch();
    }

    @Override
    public void resume() {
      lock.lock();
      try {
        if (--suspensions == 0 && !ended) {
          running++;
          task.active++;
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** The jobs of one task. */
  final class TaskQueue {
    private final ReadyQueue waiting = new ReadyQueue();

    /** Jobs that are not ended, those without a permit included. */
    private final Set<Job> running = new HashSet<>();

    /** Jobs with a permit. */
    private int active;

    private long lastStart;
    private boolean closed;

    private TaskQueue() {}

    private boolean needsMoreThan(TaskQueue other) {
      return active != other.active ? active < other.active : lastStart < other.lastStart;
    }

    /** Queues a job. It does not start before the next {@link #dispatch}. */
    void add(Job job) {
      lock.lock();
      try {
        waiting.add(job);
      } finally {
        lock.unlock();
      }
    }

    /**
     * Starts jobs of this and other tasks.
     *
     * @param ready whether jobs of an epoch may start; must return quickly and not use this
     *     scheduler
     */
    void dispatch(LongPredicate ready) {
      lock.lock();
      try {
        waiting.update(ready);
      } finally {
        lock.unlock();
      }
      FairScheduler.this.dispatch();
    }

    /** Number of queued jobs whose epoch is not ready. */
    int waitingForEpoch() {
      lock.lock();
      try {
        return waiting.waitingForEpoch();
      } finally {
        lock.unlock();
      }
    }

    /**
     * Removes the task: drops queued jobs and interrupts running ones. A running job keeps its
     * permit until it ends.
     */
    void close() {
      List<Job> started;
      lock.lock();
      try {
        closed = true;
        waiting.clear();
        tasks.remove(this);
        started = List.copyOf(running);
      } finally {
        lock.unlock();
      }
      started.forEach(Job::cancel);
    }
  }
}
