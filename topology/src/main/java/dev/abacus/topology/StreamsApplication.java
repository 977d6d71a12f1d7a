package dev.abacus.topology;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.ThreadHealth;
import dev.abacus.topology.runtime.RefusedRecords;
import dev.abacus.topology.runtime.StreamThreads;
import dev.abacus.topology.runtime.TransactionalClients;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running Kafka Streams application: one {@link StreamsClient} after the other. If a stream
 * thread dies, a new client replaces the client; it is tried until it starts.
 *
 * <p>Kafka Streams could replace the thread alone. But the dead thread would stay in the group, and
 * the new one would wait for its session to time out. A client that is closed leaves the group at
 * once.
 *
 * <p>An application that is idle for long sleeps: it has no client until {@link #wake}. Its state
 * stays on the disk and in its changelogs, as between two runs of the services.
 */
final class StreamsApplication implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StreamsApplication.class);

  /** Pauses before the client of a thread that died is replaced; they prevent a hot loop. */
  private static final RestartPolicy RESTARTS = RestartPolicy.standard(_ -> true);

  /** Time without a failure after which the next pause is the first again. */
  private static final Duration STABLE = Duration.ofMinutes(5);

  private static final Duration LONGEST_HANDSHAKE = Duration.ofSeconds(1);
  private static final Duration LEAVING = Duration.ofMillis(100);

  /**
   * When an application may sleep.
   *
   * @param after time without records, pending records, commits and rebalances
   */
  record Sleeping(BooleanSupplier allowed, Duration after) {

    /** It never sleeps. */
    static final Sleeping NEVER = new Sleeping(() -> false, Duration.ZERO);
  }

  private final String name;
  private final StreamsClient.Setup setup;
  private final ThreadHealth health;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final AssignedPartitions assigned;
  private final StreamThreads threads;
  private final @Nullable SleepWatch watch;
  private final Sleeping sleeping;
  private final InstantSource clock;

  /** Held while the application falls asleep or wakes. */
  private final Object change = new Object();

  /** When the application began to sleep; null while it is awake. */
  private volatile @Nullable Instant sleepsSince;

  /** Time of the last sign of work, but for pending records, by {@link System#nanoTime}. */
  private volatile long workedAt = System.nanoTime();

  /** Of the latest client, which may be gone. */
  private volatile TopologyTopics topics = TopologyTopics.NONE;

  // Guarded by this. A closed client keeps a lot of memory, so there is none during sleep.
  private @Nullable StreamsClient client;
  private boolean paused;

  /** Whether the client is being replaced. */
  private boolean restarting;

  private long startedAt = System.nanoTime();
  private int restarts;

  /**
   * An application that is not started.
   *
   * @param program that the application belongs to
   * @param services give metrics of Kafka Streams a registry, hear of commits, and count the stream
   *     threads that die
   * @param sleeping when the application may sleep
   * @param topology creates the topology, for each client anew, with what brokers refused before
   */
  StreamsApplication(
      String name,
      String program,
      StreamsServices services,
      Properties properties,
      Sleeping sleeping,
      Function<RefusedRecords, Topology> topology) {
    this.name = name;
    this.assigned = new AssignedPartitions(name);
    this.threads = services.runtime().threads();
    this.watch = SleepWatch.canWake(properties) ? services.sleep() : null;
    this.sleeping = sleeping;
    this.clock = services.clock();
    this.health = services.supervisor(program).watch(name);
    RefusedRecords refused = new RefusedRecords();
    properties.put(RefusedRecords.PROPERTY, refused);
    this.setup =
        new StreamsClient.Setup(
            name,
            services.kafka().names().samples(program),
            () -> topology.apply(refused),
            properties,
            () -> new TransactionalClients(services.runtime().commits(), threads, this::worked),
            services.kafka().admin(),
            services.meters(),
            clock);
  }

  /** Starts the first client. */
  StreamsApplication start() {
    start(setup.prepare());
    if (watch != null) {
      watch.add(this);
    }
    return this;
  }

  private void worked() {
    workedAt = System.nanoTime();
  }

  private StreamsClient newClient(Topology topology) {
    worked();
    topics = TopologyTopics.of(name, topology);
    return StreamsClient.create(setup, topology, this);
  }

  /** A client has entered a state; it may have left it by now. Called on its threads. */
  void changed(StreamsClient changed, KafkaStreams.State state) {
    worked();
    if (state == KafkaStreams.State.RUNNING) {
      health.succeeded();
      assigned.become(changed.partitions());
    }
  }

  /** Pending records are in their stores, so the next client resumes them. */
  StreamThreadExceptionResponse threadDied(StreamsClient failed, Throwable cause) {
    if (health.failed(cause) == null) {
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT; // The supervisor ends the process.
    }
    LOG.error("A stream thread of {} died; its client is replaced", name, cause);
    if (isFirstDeath(failed)) {
      Thread.ofVirtual()
          .name(name + "-restart")
          .start(() -> {
            failed.close();
            startAgain(pauseAfterDeath());
          });
    }
    // The thread leaves the group if it ends after the client was asked to leave.
    long deadline = System.nanoTime() + LONGEST_HANDSHAKE.toNanos();
    while (failed.state().isRunningOrRebalancing() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(LEAVING.toNanos());
    }
    LockSupport.parkNanos(LEAVING.toNanos());
    return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
  }

  /** One restart replaces a client, however many of its threads die. */
  private synchronized boolean isFirstDeath(StreamsClient failed) {
    boolean first = failed.equals(client) && !restarting;
    restarting |= first;
    return first;
  }

  private void startAgain(Duration first) {
    try {
      Duration pause = first;
      while (pause != null && !closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        pause = startNext();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized Duration pauseAfterDeath() {
    restarts = System.nanoTime() - startedAt > STABLE.toNanos() ? 1 : restarts + 1;
    return RESTARTS.pause(restarts);
  }

  /**
   * Starts the next client. It may be too early: another process still has the lock of the state
   * directory, or the address of the brokers cannot be resolved.
   *
   * @return the pause before the next attempt; null if none is needed
   */
  private @Nullable Duration startNext() {
    try {
      if (closing.getCount() > 0) {
        start(setup.prepare());
      }
      return null;
    } catch (RuntimeException | Error e) { // The application must not stay stopped.
      LOG.error("{} cannot start again", name, e);
      return health.failed(e); // Without a pause, the supervisor ends the process.
    }
  }

  private synchronized void start(Topology topology) {
    if (closing.getCount() > 0) {
      StreamsClient next = newClient(topology);
      next.pause(paused);
      client = next;
      startedAt = System.nanoTime();
      next.start();
      restarting = false;
    }
  }

  /** Stops or continues to process. Calls that are running end. */
  synchronized void pause(boolean wanted) {
    paused = wanted;
    if (client != null) {
      client.pause(wanted);
    }
  }

  /** Id of the application and its group. */
  String name() {
    return name;
  }

  /** Whether it runs, may sleep, and has had no work and no rebalance for long. */
  boolean isIdle() {
    return hasNotWorked(sleeping.after())
        && sleeping.allowed().getAsBoolean()
        && threads.idle(threadNames()).compareTo(sleeping.after()) >= 0;
  }

  private synchronized boolean hasNotWorked(Duration time) {
    return client != null
        && !paused
        && !restarting
        && closing.getCount() > 0
        && client.state() == KafkaStreams.State.RUNNING
        && System.nanoTime() - workedAt >= time.toNanos();
  }

  private synchronized Set<String> threadNames() {
    return client == null ? Set.of() : client.threads();
  }

  /**
   * Client ids of its members of the group. Kafka Streams names the consumers so, with both group
   * protocols.
   */
  Set<String> clients() {
    return threadNames().stream().map(thread -> thread + "-consumer").collect(Collectors.toSet());
  }

  /** The topics of its latest client. */
  TopologyTopics topics() {
    return topics;
  }

  /**
   * Leaves the group, also as a static member, or the group would wait for it. May take some
   * seconds.
   */
  void sleep() {
    synchronized (change) {
      StreamsClient last;
      synchronized (this) {
        last = client;
        if (last == null || paused || restarting || closing.getCount() == 0) {
          return;
        }
        sleepsSince = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        client = null;
      }
      last.leave();
      LOG.info("{} sleeps until the next record arrives", name);
    }
  }

  /** Starts a client, if the application sleeps; tries until it starts. */
  void wake() {
    synchronized (change) {
      synchronized (this) {
        if (sleepsSince == null) {
          return;
        }
        sleepsSince = null;
        restarting = true;
      }
      Duration pause = startNext();
      if (pause != null) {
        Thread.ofVirtual().name(name + "-restart").start(() -> startAgain(pause));
      }
    }
  }

  boolean isAsleep() {
    return sleepsSince != null;
  }

  /**
   * {@code PAUSED}, {@code SLEEPING: } with the time, {@code RESTARTING} after a failure, {@code
   * WAITING: } and why a task does not start, or the state of Kafka Streams.
   */
  synchronized String state() {
    if (paused) {
      return "PAUSED";
    }
    if (sleepsSince != null) {
      return InstanceStatus.SLEEPING
          + "since %s, because no record arrived; the next one starts it".formatted(sleepsSince);
    }
    if (client == null) {
      return "RESTARTING";
    }
    KafkaStreams.State state = client.state();
    return switch (state) {
      case PENDING_ERROR, ERROR, PENDING_SHUTDOWN, NOT_RUNNING ->
          closing.getCount() > 0 ? "RESTARTING" : state.name();
      case REBALANCING -> {
        String problem = client.problem();
        yield problem == null ? state.name() : "WAITING: " + problem;
      }
      case CREATED, RUNNING -> state.name();
    };
  }

  /**
   * Leaves the group at once, unless it is a static member; the next owners of the partitions
   * resume the pending records.
   */
  @Override
  public void close() {
    Optional.ofNullable(closing()).ifPresent(StreamsClient::close);
  }

  /** As {@link #close}, and a static member leaves the group too: the application must be empty. */
  void closeForAll() {
    Optional.ofNullable(closing()).ifPresent(StreamsClient::leave);
  }

  /** As {@link #closeForAll}, and removes the local state: the application never starts again. */
  void closeForGood() {
    StreamsClient last = closing();
    StreamsClient removed = last == null ? newClient(setup.topology().get()) : last;
    removed.leave();
    removed.cleanUp();
  }

  /** Ends restarts and sleep; returns the client, null if there is none. */
  private @Nullable StreamsClient closing() {
    closing.countDown();
    if (watch != null) {
      watch.remove(this);
    }
    synchronized (change) { // A client that leaves its group for a sleep has left it.
      synchronized (this) {
        return client;
      }
    }
  }
}
