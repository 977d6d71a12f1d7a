package dev.abacus.topology;

import dev.abacus.schemas.supervision.ThreadHealth;
import dev.abacus.topology.runtime.RefusedRecords;
import dev.abacus.topology.runtime.TransactionalClients;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import java.nio.file.Path;
import java.time.Duration;
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
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
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
 */
final class StreamsApplication implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StreamsApplication.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

  /** Pauses before a restart; they prevent a hot loop. */
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  /** Time without a failure after which the next pause is the first again. */
  private static final Duration STABLE = Duration.ofMinutes(5);

  private static final Duration LONGEST_HANDSHAKE = Duration.ofSeconds(1);
  private static final Duration LEAVING = Duration.ofMillis(100);
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

  private volatile Set<String> internalTopics = Set.of();

  /** Metrics of the current client; guarded by this. */
  private @Nullable KafkaStreamsMetrics metrics;

  /** Guarded by itself. */
  private final Set<TopicPartition> assigned = new HashSet<>();

  // Guarded by this.
  private KafkaStreams streams;
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
      Function<RefusedRecords, Topology> topology) {
    this.name = name;
    this.meters = worker.meters();
    this.clients = new TransactionalClients(worker.runtime().commits(), worker.runtime().threads());
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
   * @param topology creates the topology, for each client anew, with what brokers refused before
   */
  static StreamsApplication start(
      String name,
      String program,
      WorkerContext worker,
      Properties properties,
      Function<RefusedRecords, Topology> topology) {
    StreamsApplication application =
        new StreamsApplication(name, program, worker, properties, topology);
    application.client().start();
    return application;
  }

  private KafkaStreams newClient() {
    Topology built = topology.apply(refused);
    internalTopics = internalTopics(built);
    KafkaStreams client = new KafkaStreams(built, properties, clients);
    // Kafka Streams gives the group access to the folder.
    StateFolder.restrict(Path.of(properties.getProperty(StreamsConfig.STATE_DIR_CONFIG)));
    client.setUncaughtExceptionHandler(cause -> replace(client, cause));
    client.setStateListener((state, _) -> {
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

  private void abortAbandonedTransactions(KafkaStreams client) {
    client.metadataForLocalThreads().stream()
        .map(thread -> AbandonedTransactions.processOf(name, thread.threadName()))
        .filter(Objects::nonNull)
        .findFirst()
        .ifPresent(process ->
            new AbandonedTransactions(admin, name, process)
                .abortDuring(() -> client.state() == KafkaStreams.State.REBALANCING));
  }

  private void bindMetrics(KafkaStreams client) {
    if (metrics != null) {
      metrics.close();
    }
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

  private synchronized KafkaStreams client() {
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
    if (!streams.isPaused()) {
      streams.pause();
    }
  }

  synchronized void resume() {
    paused = false;
    if (streams.isPaused()) {
      streams.resume();
    }
  }

  /** {@code PAUSED}, {@code RESTARTING} after a failure, or the state of Kafka Streams. */
  String state() {
    KafkaStreams client = client();
    if (client.isPaused()) {
      return "PAUSED";
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
    leave(closing());
  }

  /** As {@link #close}, and a static member leaves the group too: the application must be empty. */
  void closeForAll() {
    leave(closing(), GroupMembershipOperation.LEAVE_GROUP);
  }

  /** As {@link #closeForAll}, and removes the local state: the application never starts again. */
  void closeForGood() {
    KafkaStreams last = closing();
    leave(last, GroupMembershipOperation.LEAVE_GROUP);
    try {
      last.cleanUp();
    } catch (IllegalStateException | StreamsException e) {
      LOG.warn("Cannot remove the local state of {}: {}", name, e.toString());
    }
  }

  private synchronized KafkaStreams closing() {
    closing.countDown();
    if (metrics != null) {
      metrics.close();
    }
    return streams;
  }
}
