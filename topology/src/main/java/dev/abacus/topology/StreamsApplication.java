package dev.abacus.topology;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.supervision.ThreadHealth;
import dev.abacus.topology.runtime.RefusedRecords;
import dev.abacus.topology.runtime.StreamThreads;
import dev.abacus.topology.runtime.TransactionalClients;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running Kafka Streams application. If a stream thread dies, a new client replaces the client;
 * it is tried until it starts.
 *
 * <p>Kafka Streams could replace the thread alone. But the dead thread would stay in the group, and
 * the new one would wait for its session to time out. A client that is closed leaves the group at
 * once.
 *
 * <p>An application that is idle for long sleeps: it has no client until {@link #wake}. Its state
 * stays on the disk and in its changelogs, as between two runs of the worker.
 */
final class StreamsApplication implements SleepWatch.Sleeper, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StreamsApplication.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

  /** Pauses before a restart; they prevent a hot loop. */
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

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

  private static final Comparator<TopicPartition> BY_NAME =
      Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

  private final String name;
  private final RefusedRecords refused = new RefusedRecords();
  private final Function<RefusedRecords, Topology> topology;
  private final Properties properties;
  private final @Nullable MeterRegistry meters;
  private final TransactionalClients clients;
  private final ThreadHealth health;
  private final Admin admin;
  private final CountDownLatch closing = new CountDownLatch(1);
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

  private volatile Set<String> internalTopics = Set.of();
  private volatile Set<String> sources = Set.of();

  /** Metrics of the current client; guarded by this. */
  private @Nullable KafkaStreamsMetrics metrics;

  /** Guarded by itself. */
  private final Set<TopicPartition> assigned = new HashSet<>();

  // Guarded by this. A closed client keeps a lot of memory, so there is none during sleep.
  private @Nullable KafkaStreams streams;
  private boolean paused;

  /** Whether the client is being replaced. */
  private boolean restarting;

  private long startedAt = System.nanoTime();
  private Duration pause = FIRST_PAUSE;

  private StreamsApplication(
      String name,
      String program,
      WorkerContext worker,
      Properties properties,
      Sleeping sleeping,
      Function<RefusedRecords, Topology> topology) {
    this.name = name;
    this.meters = worker.meters();
    this.threads = worker.runtime().threads();
    this.watch = resetsToFirst(properties) ? worker.sleep() : null;
    this.sleeping = sleeping;
    this.clock = worker.clock();
    this.clients = new TransactionalClients(worker.runtime().commits(), threads, this::worked);
    this.health = worker.supervisor(program).watch(name);
    this.admin = worker.admin();
    this.topology = topology;
    this.properties = properties;
    properties.put(RefusedRecords.PROPERTY, refused);
    this.streams = newClient();
  }

  /**
   * Starts an application.
   *
   * @param program that the application belongs to
   * @param worker gives metrics of Kafka Streams a registry, hears of commits, and counts the
   *     stream threads that die
   * @param sleeping when the application may sleep
   * @param topology creates the topology, for each client anew, with what brokers refused before
   */
  static StreamsApplication start(
      String name,
      String program,
      WorkerContext worker,
      Properties properties,
      Sleeping sleeping,
      Function<RefusedRecords, Topology> topology) {
    StreamsApplication application =
        new StreamsApplication(name, program, worker, properties, sleeping, topology);
    Objects.requireNonNull(application.client()).start();
    if (application.watch != null) {
      application.watch.add(application);
    }
    return application;
  }

  /**
   * Whether the application reads a partition without a committed offset from its first record. If
   * not, it would skip the record that wakes it.
   */
  private static boolean resetsToFirst(Properties properties) {
    return "earliest"
        .equalsIgnoreCase(
            String.valueOf(
                new StreamsConfig(properties)
                    .getMainConsumerConfigs("check", "check", 0)
                    .get(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG)));
  }

  private void worked() {
    workedAt = System.nanoTime();
  }

  private KafkaStreams newClient() {
    Topology built = topology.apply(refused);
    internalTopics = internalTopics(built);
    sources = sources(built);
    worked();
    KafkaStreams client = new KafkaStreams(built, properties, clients);
    // Kafka Streams gives the group access to the folder.
    StateFolder.restrict(Path.of(properties.getProperty(StreamsConfig.STATE_DIR_CONFIG)));
    client.setUncaughtExceptionHandler(cause -> replace(client, cause));
    client.setStateListener((state, _) -> {
      worked();
      if (state == KafkaStreams.State.RUNNING) {
        health.succeeded();
        tellPartitions(client);
      } else if (state == KafkaStreams.State.REBALANCING) {
        abortAbandonedTransactions(client);
      }
    });
    bindMetrics(client);
    return client;
  }

  /** Names of the changelog and repartition topics. */
  Set<String> internalTopics() {
    return internalTopics;
  }

  private Set<String> internalTopics(Topology built) {
    Set<String> topics = new HashSet<>();
    for (TopologyDescription.Subtopology part : built.describe().subtopologies()) {
      for (TopologyDescription.Node node : part.nodes()) {
        if (node instanceof TopologyDescription.Processor processor) {
          processor.stores().forEach(store -> topics.add(name + "-" + store + "-changelog"));
        } else if (node instanceof TopologyDescription.Source source && source.topicSet() != null) {
          source.topicSet().stream()
              .filter(topic -> topic.endsWith("-repartition"))
              .forEach(topic -> topics.add(name + "-" + topic));
        }
      }
    }
    return Set.copyOf(topics);
  }

  private static Set<String> sources(Topology built) {
    return built.describe().subtopologies().stream()
        .flatMap(part -> part.nodes().stream())
        .filter(TopologyDescription.Source.class::isInstance)
        .flatMap(node -> ((TopologyDescription.Source) node).topicSet().stream())
        .filter(topic -> !topic.endsWith("-repartition"))
        .collect(Collectors.toUnmodifiableSet());
  }

  private void abortAbandonedTransactions(KafkaStreams client) {
    client.metadataForLocalThreads().stream()
        .map(thread -> AbandonedTransactions.processOf(name, thread.threadName()))
        .filter(Objects::nonNull)
        .findFirst()
        .ifPresent(process ->
            new AbandonedTransactions(admin, name, process)
                .abortDuring(() -> client.state() == KafkaStreams.State.REBALANCING));
  }

  private void unbindMetrics() {
    if (metrics != null) {
      metrics.close();
      metrics = null;
    }
  }

  private void bindMetrics(KafkaStreams client) {
    unbindMetrics();
    if (meters != null) {
      metrics = new KafkaStreamsMetrics(client, List.of(Tag.of("application", name)));
      metrics.bindTo(meters);
    }
  }

  /** Logs the source partitions that this instance gained and lost in a rebalance. */
  private void tellPartitions(KafkaStreams client) {
    Set<TopicPartition> now = new TreeSet<>(BY_NAME);
    client.metadataForLocalThreads().stream()
        .flatMap(thread -> thread.activeTasks().stream())
        .flatMap(task -> task.topicPartitions().stream())
        .forEach(now::add);
    Set<TopicPartition> gained = new TreeSet<>(BY_NAME);
    Set<TopicPartition> lost = new TreeSet<>(BY_NAME);
    synchronized (assigned) {
      gained.addAll(now);
      gained.removeAll(assigned);
      lost.addAll(assigned);
      lost.removeAll(now);
      assigned.clear();
      assigned.addAll(now);
    }
    if (!gained.isEmpty()) {
      LOG.info("{} gained partitions: {}", name, gained);
    }
    if (!lost.isEmpty()) {
      LOG.info("{} lost partitions: {}", name, lost);
    }
  }

  private synchronized @Nullable KafkaStreams client() {
    return streams;
  }

  /** Pending records are in their stores, so the next client resumes them. */
  private StreamThreadExceptionResponse replace(KafkaStreams failed, Throwable cause) {
    if (health.failed(cause) == null) {
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT; // The supervisor ends the process.
    }
    LOG.error("A stream thread of {} died; its client is replaced", name, cause);
    if (isFirstDeath(failed)) {
      Thread.ofVirtual().name(name + "-restart").start(() -> restart(failed));
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
  private synchronized boolean isFirstDeath(KafkaStreams failed) {
    boolean first = failed.equals(streams) && !restarting;
    restarting |= first;
    return first;
  }

  private void restart(KafkaStreams failed) {
    leave(failed);
    startAgain();
  }

  private void startAgain() {
    try {
      while (!closing.await(nextPause().toMillis(), TimeUnit.MILLISECONDS) && !startNext()) {
        LOG.debug("{} is started again after a pause", name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized Duration nextPause() {
    boolean stable = System.nanoTime() - startedAt > STABLE.toNanos();
    Duration next = stable ? FIRST_PAUSE : pause;
    Duration twice = next.multipliedBy(2);
    pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    return next;
  }

  /**
   * Starts the next client. It may be too early: another process still has the lock of the state
   * directory, or the address of the brokers cannot be resolved.
   *
   * @return whether no further attempt is needed
   */
  private synchronized boolean startNext() {
    if (closing.getCount() == 0) {
      return true;
    }
    KafkaStreams next = null;
    try {
      next = newClient();
      if (paused) {
        next.pause();
      }
      streams = next;
      restarting = false;
      startedAt = System.nanoTime();
      next.start();
      return true;
    } catch (RuntimeException | Error e) { // The application must not stay stopped.
      restarting = true;
      if (next != null) {
        next.close(Duration.ZERO);
      }
      LOG.error("{} cannot start again", name, e);
      return health.failed(e) == null; // Then the supervisor ends the process.
    }
  }

  private void leave(KafkaStreams client) {
    // Without leaving, the group waits for a session timeout before it moves the partitions. A
    // static member is restarted within that time and keeps them.
    leave(
        client,
        isStaticMember()
            ? GroupMembershipOperation.REMAIN_IN_GROUP
            : GroupMembershipOperation.LEAVE_GROUP);
  }

  private void leave(KafkaStreams client, GroupMembershipOperation membership) {
    CloseOptions leaving =
        CloseOptions.timeout(CLOSE_TIMEOUT).withGroupMembershipOperation(membership);
    if (!client.close(leaving)) {
      LOG.warn("{} did not stop within {}", name, CLOSE_TIMEOUT);
    }
  }

  private boolean isStaticMember() {
    return Stream.of("", StreamsConfig.CONSUMER_PREFIX, StreamsConfig.MAIN_CONSUMER_PREFIX)
        .map(prefix -> properties.get(prefix + ConsumerConfig.GROUP_INSTANCE_ID_CONFIG))
        .anyMatch(Objects::nonNull);
  }

  /** Stops processing until {@link #resume}. Calls that are running end. */
  synchronized void pause() {
    paused = true;
    if (streams != null && !streams.isPaused()) {
      streams.pause();
    }
  }

  synchronized void resume() {
    paused = false;
    if (streams != null && streams.isPaused()) {
      streams.resume();
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean isIdle() {
    return hasNotWorked(sleeping.after())
        && sleeping.allowed().getAsBoolean()
        && threads.idle(threadNames()).compareTo(sleeping.after()) >= 0;
  }

  private synchronized boolean hasNotWorked(Duration time) {
    return streams != null
        && !paused
        && !restarting
        && closing.getCount() > 0
        && streams.state() == KafkaStreams.State.RUNNING
        && System.nanoTime() - workedAt >= time.toNanos();
  }

  private Set<String> threadNames() {
    KafkaStreams client = client();
    return client == null
        ? Set.of()
        : client.metadataForLocalThreads().stream()
            .map(ThreadMetadata::threadName)
            .collect(Collectors.toSet());
  }

  /** Kafka Streams names the consumers so, with both group protocols. */
  @Override
  public Set<String> clients() {
    return threadNames().stream().map(thread -> thread + "-consumer").collect(Collectors.toSet());
  }

  @Override
  public Set<String> sources() {
    return sources;
  }

  @Override
  public Set<String> repartitions() {
    return internalTopics.stream()
        .filter(topic -> topic.endsWith("-repartition"))
        .collect(Collectors.toSet());
  }

  /** Leaves the group, also as a static member, or the group would wait for it. */
  @Override
  public void sleep() {
    synchronized (change) {
      KafkaStreams client;
      synchronized (this) {
        client = streams;
        if (client == null || paused || restarting || closing.getCount() == 0) {
          return;
        }
        sleepsSince = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        streams = null;
        unbindMetrics();
      }
      leave(client, GroupMembershipOperation.LEAVE_GROUP);
      LOG.info("{} sleeps until the next record arrives", name);
    }
  }

  /** Starts a client, if the application sleeps; tries until it starts. */
  @Override
  public void wake() {
    synchronized (change) {
      synchronized (this) {
        if (sleepsSince == null) {
          return;
        }
        sleepsSince = null;
        restarting = true;
        pause = FIRST_PAUSE;
      }
      if (!startNext()) {
        Thread.ofVirtual().name(name + "-restart").start(this::startAgain);
      }
    }
  }

  @Override
  public boolean isAsleep() {
    return sleepsSince != null;
  }

  /**
   * {@code PAUSED}, {@code SLEEPING: } with the time, {@code RESTARTING} after a failure, or the
   * state of Kafka Streams.
   */
  synchronized String state() {
    if (paused) {
      return "PAUSED";
    }
    if (sleepsSince != null) {
      return InstanceStatus.SLEEPING
          + "since %s, because no record arrived; the next one starts it".formatted(sleepsSince);
    }
    KafkaStreams client = streams;
    if (client == null) {
      return "RESTARTING";
    }
    return switch (client.state()) {
      case PENDING_ERROR, ERROR, PENDING_SHUTDOWN, NOT_RUNNING ->
          closing.getCount() > 0 ? "RESTARTING" : client.state().name();
      case CREATED, REBALANCING, RUNNING -> client.state().name();
    };
  }

  /**
   * Leaves the group at once, unless it is a static member; the next owners of the partitions
   * resume the pending records.
   */
  @Override
  public void close() {
    KafkaStreams last = closing();
    if (last != null) {
      leave(last);
    }
  }

  /** As {@link #close}, and a static member leaves the group too: the application must be empty. */
  void closeForAll() {
    KafkaStreams last = closing();
    if (last != null) {
      leave(last, GroupMembershipOperation.LEAVE_GROUP);
    }
  }

  /** As {@link #closeForAll}, and removes the local state: the application never starts again. */
  void closeForGood() {
    KafkaStreams last = closing();
    if (last == null) {
      last = new KafkaStreams(topology.apply(refused), properties, clients);
    }
    leave(last, GroupMembershipOperation.LEAVE_GROUP);
    try {
      last.cleanUp();
    } catch (IllegalStateException | StreamsException e) {
      LOG.warn("Cannot remove the local state of {}: {}", name, e.toString());
    }
  }

  /** Ends restarts, sleep and metrics; returns the client, null if there is none. */
  private @Nullable KafkaStreams closing() {
    closing.countDown();
    if (watch != null) {
      watch.remove(this);
    }
    synchronized (change) { // A client that leaves its group for a sleep has left it.
      synchronized (this) {
        unbindMetrics();
        return streams;
      }
    }
  }
}
