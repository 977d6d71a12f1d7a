package dev.abacus.schemas.supervision;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and watches the long-lived threads of a process. A thread repeats a {@link Step}. A step
 * that fails is logged, counted and repeated after a growing pause. A thread that cannot continue
 * completes {@link #failure}; the process then has to end, so that its own supervisor starts it
 * again.
 *
 * <p>Thread-safe.
 */
public final class Supervisor {

  private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);

  /** Time that a thread has for its last step, and again after it was interrupted. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private final RestartPolicy policy;
  private final InstantSource clock;
  private final Function<Throwable, String> describe;
  private final @Nullable String owner;
  private final SortedMap<String, ThreadHealth> threads;

  /** The owner of each thread that has one. */
  private final Map<String, String> owners;

  private final CompletableFuture<ThreadStatus> failure;

  public Supervisor(RestartPolicy policy, InstantSource clock) {
    this(policy, clock, Throwable::toString);
  }

  /**
   * Creates a supervisor.
   *
   * @param describe the text of a failure in logs and status records
   */
  public Supervisor(
      RestartPolicy policy, InstantSource clock, Function<Throwable, String> describe) {
    this.policy = policy;
    this.clock = clock;
    this.describe = describe;
    this.owner = null;
    this.threads = new ConcurrentSkipListMap<>();
    this.owners = new ConcurrentHashMap<>();
    this.failure = new CompletableFuture<>();
  }

  private Supervisor(Supervisor shared, String owner) {
    this.policy = shared.policy;
    this.clock = shared.clock;
    this.describe = shared.describe;
    this.owner = owner;
    this.threads = shared.threads;
    this.owners = shared.owners;
    this.failure = shared.failure;
  }

  /** The same supervisor, for threads that belong to an owner, such as a program. */
  public Supervisor of(String owner) {
    return new Supervisor(this, owner);
  }

  /** One step of a thread. */
  @FunctionalInterface
  public interface Step {

    /**
     * Runs once.
     *
     * @param health receives the records that the step skips
     * @return the pause before the next step
     * @throws Exception if the step failed; it is repeated
     */
    Duration run(ThreadHealth health) throws Exception;
  }

  /**
   * A resource that a step uses.
   *
   * @param wake ends a step that waits; called on another thread
   * @param release closes the resource; called on the thread after its last step
   */
  public record Resource(Runnable wake, Runnable release) {
    /** No resource. */
    public static final Resource NONE = new Resource(() -> {}, () -> {});
  }

  /**
   * Starts a thread.
   *
   * @param name unique name of the thread in status records and logs
   */
  public SupervisedThread start(String name, Step step, Resource resource) {
    return start(name, step, resource, policy);
  }

  /**
   * Starts a thread that the process can do without: it tries again without a limit.
   *
   * @param name unique name of the thread in status records and logs
   */
  public SupervisedThread startAuxiliary(String name, Step step) {
    return startAuxiliary(name, step, Resource.NONE);
  }

  /** As {@link #startAuxiliary(String, Step)}, with a resource. */
  public SupervisedThread startAuxiliary(String name, Step step, Resource resource) {
    return start(name, step, resource, policy.withoutLimit());
  }

  private SupervisedThread start(
      String name, Step step, Resource resource, RestartPolicy restarts) {
    SupervisedThread thread = new SupervisedThread(name, step, resource, health(name, restarts));
    thread.thread.start();
    return thread;
  }

  /**
   * The health of work that other code runs and repeats. Such work never ends the process, unless
   * the JVM cannot continue.
   */
  public ThreadHealth watch(String name) {
    return health(name, policy.withoutLimit());
  }

  private ThreadHealth health(String name, RestartPolicy restarts) {
    ThreadHealth health = new ThreadHealth(name, restarts, clock, describe, failure::complete);
    if (owner == null) {
      owners.remove(name);
    } else {
      owners.put(name, owner);
    }
    threads.put(name, health);
    return health;
  }

  /** Ends the supervision of {@link #watch}. */
  public void forget(String name) {
    threads.remove(name);
    owners.remove(name);
  }

  /**
   * The states of the threads, in order of their names; for an owner without those that belong to
   * others.
   */
  public List<ThreadStatus> threads() {
    return threads.entrySet().stream()
        .filter(thread -> owner == null || concerns(thread.getKey()))
        .map(thread -> thread.getValue().status())
        .toList();
  }

  private boolean concerns(String thread) {
    String of = owners.get(thread);
    return of == null || of.equals(owner);
  }

  /** The states of the threads that do not work, without those that belong to other owners. */
  public List<ThreadStatus> troubled() {
    return threads().stream()
        .filter(thread -> !thread.works() && concerns(thread.thread()))
        .toList();
  }

  /** Completes with the first thread that cannot continue. */
  public CompletableFuture<ThreadStatus> failure() {
    return failure.copy();
  }

  /** A thread that repeats its step until it is closed. */
  public final class SupervisedThread implements AutoCloseable {

    private final String name;
    private final Step step;
    private final Resource resource;
    private final ThreadHealth health;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);

    private SupervisedThread(String name, Step step, Resource resource, ThreadHealth health) {
      this.name = name;
      this.step = step;
      this.resource = resource;
      this.health = health;
      this.thread = Thread.ofPlatform().name("abacus-" + name).unstarted(this::run);
    }

    /** Whether {@link #close} was called. */
    public boolean isClosing() {
      return closing.getCount() == 0;
    }

    private void run() {
      try {
        while (!isClosing()) {
          Duration pause = runStep();
          if (pause == null) {
            return;
          }
          pause(pause);
        }
      } finally {
        release();
      }
    }

    private void release() {
      try {
        resource.release().run();
      } catch (RuntimeException e) { // such as an interruption
        LOG.warn("What thread '{}' used is not closed in order: {}", name, e.toString());
      }
    }

    /** The pause before the next step; null if the thread must end. */
    private @Nullable Duration runStep() {
      try {
        health.stepBegins();
        Duration pause = step.run(health);
        health.succeeded();
        return pause;
      } catch (Throwable e) { // a supervisor must see every failure
        return isClosing() ? Duration.ZERO : health.failed(e);
      }
    }

    private void pause(Duration pause) {
      try {
        if (!pause.isZero() && closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
          LOG.debug("Thread '{}' is closed during a pause", name);
        }
      } catch (InterruptedException e) {
        LOG.debug("Thread '{}' is interrupted during a pause", name);
      }
    }

    /**
     * Ends the thread after its current step and releases its resource. What takes longer than 5 s
     * is interrupted: clients of Kafka wait up to a minute for brokers that are away.
     */
    @Override
    public void close() {
      closing.countDown();
      resource.wake().run();
      try {
        if (!thread.join(CLOSE_TIMEOUT)) {
          LOG.warn("Thread '{}' did not end within {}; it is interrupted", name, CLOSE_TIMEOUT);
          thread.interrupt();
          boolean _ = thread.join(CLOSE_TIMEOUT);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      threads.remove(name, health);
    }
  }
}
