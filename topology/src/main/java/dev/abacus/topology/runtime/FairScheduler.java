package dev.abacus.topology.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
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

  private final int limit;
  private final Executor executor;

  // Guarded by this, as are the shares.
  private final FairShare.Group all = new FairShare.Group(null, 0);
  private final Map<String, Program> programs = new HashMap<>();

  /** Upper bound of the permits in use: the limit, or more after permits were taken above it. */
  private int ceiling;

  /** Number of the latest permit, program or task. */
  private long numbers;

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
    this.ceiling = limit;
    this.executor = executor;
  }

  /** A scheduler that runs each job on a virtual thread. */
  public static FairScheduler inVirtualThreads(int limit) {
    Thread.Builder.OfVirtual threads = Thread.ofVirtual().name("abacus-work-", 0);
    return new FairScheduler(limit, threads::start);
  }

  /** Number of permits in use. */
  public synchronized int running() {
    return all.permits();
  }

  /**
   * Adds a task.
   *
   * @param program the tasks of one program have one share together
   */
  synchronized TaskQueue newQueue(String program) {
    return new TaskQueue(programs.computeIfAbsent(program, Program::new));
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
    Lane lane = (Lane) all.next();
    if (lane == null || !mayStart(lane.task.program)) {
      // Permits above the limit that no program below its share wants end here.
      ceiling = Math.max(limit, all.permits());
      return null;
    }
    return lane.start();
  }

  /** Above the limit, a program below its share gets the permits that are given back. */
  private boolean mayStart(Program program) {
    return all.permits() < limit
        || (all.permits() < ceiling && program.permits() < Math.max(1, limit / busy()));
  }

  /** Number of programs that have permits or can use one; at least 1 if one can start. */
  private int busy() {
    return (int)
        programs.values().stream()
            .filter(program -> program.permits() > 0 || program.canStart())
            .count();
  }

  private synchronized void release(Started ended) {
    ended.ended = true;
    if (ended.suspensions == 0) {
      ended.lane.change(-1);
    }
    ended.lane.remove(ended.job);
  }

  private synchronized void giveBack(Started failed) {
    release(failed);
    if (!failed.lane.task.closed) {
      failed.lane.task.waiting(failed.job, Deque::addFirst);
    }
  }

  /** The tasks of one program. */
  private final class Program extends FairShare.Group {
    private final String name;
    private int tasks;

    private Program(String name) {
      super(all, ++numbers);
      this.name = name;
    }
  }

  /** The jobs of one epoch, which become ready together. */
  private static final class Epoch {

    /** By key; the lane of a job without a key is under the job. */
    private final Map<Object, Lane> lanes = new HashMap<>();

    private boolean ready;
  }

  /**
   * The jobs of one key in one epoch, in their order. A job without a key has its own lane. Of
   * lanes with as many permits, the one with the oldest job is first.
   */
  private final class Lane extends FairShare {
    private final TaskQueue task;
    private final Epoch epoch;
    private final Object key;
    private final Deque<Job> waiting = new ArrayDeque<>(1);

    /** Jobs that are not ended, those without a permit included. */
    private int jobs;

    private Lane(TaskQueue task, Epoch epoch, Object key) {
      super(task, 0);
      this.task = task;
      this.epoch = epoch;
      this.key = key;
    }

    @Override
    boolean canStart() {
      return epoch.ready && !waiting.isEmpty();
    }

    @Override
    FairShare next() {
      return this;
    }

    @Override
    long turn(long before, long permit) {
      return waiting.isEmpty() ? before : waiting.getFirst().sequence();
    }

    private Started start() {
      Job job = waiting.getFirst();
      task.running.add(job);
      change(1, ++numbers, waiting::removeFirst);
      return new Started(this, job);
    }

    /** Removes a job that has ended. */
    private void remove(Job job) {
      task.running.remove(job);
      if (--jobs == 0) {
        epoch.lanes.remove(key);
      }
    }
  }

  /** A job that holds a permit, and releases it however the job ends. */
  private final class Started implements Runnable, Permit {
    private final Lane lane;
    private final Job job;
    private int suspensions;
    private boolean ended;

    private Started(Lane lane, Job job) {
      this.lane = lane;
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
      synchronized (FairScheduler.this) {
        if (suspensions++ == 0 && !ended) {
          lane.change(-1);
        }
      }
      dispatch();
    }

    @Override
    public void resume() {
      synchronized (FairScheduler.this) {
        if (--suspensions == 0 && !ended) {
          lane.change(1);
          ceiling = Math.max(ceiling, all.permits());
        }
      }
    }
  }

  /** The jobs of one task. All jobs of an epoch become ready together. */
  final class TaskQueue extends FairShare.Group {
    private final Program program;
    private final Map<Long, Epoch> epochs = new HashMap<>();

    /** Jobs that are not ended, those without a permit included. */
    private final Set<Job> running = new HashSet<>();

    private boolean closed;

    private TaskQueue(Program program) {
      super(program, ++numbers);
      this.program = program;
      program.tasks++;
    }

    /** Queues a job. It does not start before the next {@link #dispatch}. */
    void add(Job job) {
      synchronized (FairScheduler.this) {
        waiting(job, Deque::addLast);
      }
    }

    private void waiting(Job job, BiConsumer<Deque<Job>, Job> add) {
      Epoch epoch = epochs.computeIfAbsent(job.epoch(), _ -> new Epoch());
      Object key = job.key() == null ? job : job.key();
      Lane lane = epoch.lanes.computeIfAbsent(key, own -> new Lane(this, epoch, own));
      lane.jobs++;
      lane.change(0, 0, () -> add.accept(lane.waiting, job));
    }

    /**
     * Starts jobs of this and other tasks.
     *
     * @param ready whether jobs of an epoch may start; must return quickly and not use this
     *     scheduler
     */
    void dispatch(LongPredicate ready) {
      synchronized (FairScheduler.this) {
        epochs.values().removeIf(epoch -> epoch.lanes.isEmpty());
        epochs.forEach((number, epoch) -> update(epoch, ready.test(number)));
      }
      FairScheduler.this.dispatch();
    }

    private void update(Epoch epoch, boolean ready) {
      if (epoch.ready != ready) {
        epoch.ready = ready;
        epoch.lanes.values().forEach(lane -> lane.change(0));
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
        epochs
            .values()
            .forEach(epoch -> epoch.lanes.values().forEach(lane -> lane.waiting.clear()));
        epochs.clear();
        change(0, 0, this::clear);
        if (--program.tasks == 0) {
          programs.remove(program.name);
        }
        started = List.copyOf(running);
      }
      started.forEach(Job::cancel);
    }
  }
}
