package dev.abacus.topology;

import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.topology.runtime.TransactionalClients;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.kafka.KafkaStreamsMetrics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.ThreadMetadata;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of a {@link StreamsApplication}: a client of Kafka Streams, its topology and metrics.
 */
final class StreamsClient {

  private static final Logger LOG = LoggerFactory.getLogger(StreamsClient.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

  /**
   * What all clients of an application have in common.
   *
   * @param topology creates the topology, for each client anew
   * @param samples the topic of sample tasks, which belongs to the program
   * @param clients creates the clients of Kafka, for each client anew
   * @param admin looks for the transactions of dead processes
   * @param meters gets the metrics of Kafka Streams; null for none
   * @param clock tells how long a restoration waits
   */
  record Setup(
      String application,
      String samples,
      Supplier<Topology> topology,
      Properties properties,
      Supplier<TransactionalClients> clients,
      Admin admin,
      @Nullable MeterRegistry meters,
      InstantSource clock) {

    /** A broker ends an open transaction after its timeout, and looks every 10 s. */
    Duration patience() {
      Object timeout =
          new StreamsConfig(properties)
              .getProducerConfigs("check")
              .get(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG);
      return Duration.ofMillis(Long.parseLong(String.valueOf(timeout))).plusSeconds(20);
    }

    /**
     * The topology of the next client; its topics get the partitions that they need. Asks the
     * cluster.
     *
     * @throws KafkaException if a source does not exist, which Kafka Streams would not name
     */
    Topology prepare() {
      Topology built = topology.get();
      try {
        TopologyTopics topics = TopologyTopics.of(application, built);
        Set<String> missing = new TreeSet<>(topics.sources());
        Set<String> all = new HashSet<>(topics.internal());
        all.addAll(missing);
        Map<String, Integer> sizes = TopicSetup.partitions(admin, all);
        missing.removeAll(sizes.keySet());
        if (!missing.isEmpty()) {
          throw new KafkaException(
              "topics that %s reads do not exist: %s; create them: abacus topics create"
                  .formatted(application, String.join(", ", missing)));
        }
        List<String> grown =
            TopicSetup.grow(admin, TopologyTopics.least(application, built, samples, sizes));
        if (!grown.isEmpty()) {
          LOG.info("What {} reads has more partitions; so have now {}", application, grown);
        }
      } catch (InterruptedException e) {
        throw new InterruptException(e);
      }
      return built;
    }

    /** A static member keeps its partitions if it comes back within its session. */
    boolean isStaticMember() {
      return Stream.of("", StreamsConfig.CONSUMER_PREFIX, StreamsConfig.MAIN_CONSUMER_PREFIX)
          .map(prefix -> properties.get(prefix + ConsumerConfig.GROUP_INSTANCE_ID_CONFIG))
          .anyMatch(Objects::nonNull);
    }
  }

  private final Setup setup;
  private final TransactionalClients clients;
  private final KafkaStreams streams;
  private final Restorations restorations;
  private final @Nullable KafkaStreamsMetrics metrics;

  private StreamsClient(Setup setup, Topology topology) {
    this.setup = setup;
    this.clients = setup.clients().get();
    this.streams = new KafkaStreams(topology, setup.properties(), clients);
    this.restorations = new Restorations(setup.clock(), setup.patience());
    this.streams.setGlobalStateRestoreListener(restorations);
    // Kafka Streams gives the group access to the folder.
    StateFolder.restrict(Path.of(setup.properties().getProperty(StreamsConfig.STATE_DIR_CONFIG)));
    MeterRegistry meters = setup.meters();
    if (meters == null) {
      this.metrics = null;
    } else {
      this.metrics =
          new KafkaStreamsMetrics(streams, List.of(Tag.of("application", setup.application())));
      this.metrics.bindTo(meters);
    }
  }

  /**
   * Creates a client that is not started.
   *
   * @param owner hears of its states and of stream threads that die
   */
  static StreamsClient create(Setup setup, Topology topology, StreamsApplication owner) {
    StreamsClient client = new StreamsClient(setup, topology);
    client.streams.setUncaughtExceptionHandler(cause -> owner.threadDied(client, cause));
    client.streams.setStateListener((state, _) -> {
      owner.changed(client, state);
      if (state == KafkaStreams.State.REBALANCING) {
        client.abortAbandonedTransactions();
      }
    });
    return client;
  }

  private void abortAbandonedTransactions() {
    threads().stream()
        .map(thread -> AbandonedTransactions.processOf(setup.application(), thread))
        .filter(Objects::nonNull)
        .findFirst()
        .ifPresent(process ->
            new AbandonedTransactions(setup.admin(), setup.application(), process)
                .abortDuring(() -> state() == KafkaStreams.State.REBALANCING));
  }

  /** Starts, or gives itself up if it cannot start. */
  void start() {
    try {
      streams.start();
    } catch (RuntimeException | Error e) {
      unbindMetrics();
      streams.close(Duration.ZERO);
      throw e;
    }
  }

  KafkaStreams.State state() {
    return streams.state();
  }

  /** Why a task does not start; null if none waits. */
  @Nullable String problem() {
    return restorations.problem();
  }

  /** Stops or continues to process. Calls that are running end. */
  void pause(boolean wanted) {
    if (wanted && !streams.isPaused()) {
      streams.pause();
    } else if (!wanted && streams.isPaused()) {
      streams.resume();
    }
  }

  /** Names of the stream threads. */
  Set<String> threads() {
    return streams.metadataForLocalThreads().stream()
        .map(ThreadMetadata::threadName)
        .collect(Collectors.toSet());
  }

  /** The source partitions of the tasks on this instance. */
  Set<TopicPartition> partitions() {
    return streams.metadataForLocalThreads().stream()
        .flatMap(thread -> thread.activeTasks().stream())
        .flatMap(task -> task.topicPartitions().stream())
        .collect(Collectors.toSet());
  }

  /**
   * Stops and leaves the group, which would otherwise wait for a session timeout before it moves
   * the partitions; but not as a static member that comes back.
   */
  void close() {
    close(
        setup.isStaticMember()
            ? GroupMembershipOperation.REMAIN_IN_GROUP
            : GroupMembershipOperation.LEAVE_GROUP);
  }

  /** Stops and leaves the group, also as a static member. */
  void leave() {
    close(GroupMembershipOperation.LEAVE_GROUP);
  }

  private void close(GroupMembershipOperation membership) {
    unbindMetrics();
    CloseOptions leaving =
        CloseOptions.timeout(CLOSE_TIMEOUT).withGroupMembershipOperation(membership);
    if (!streams.close(leaving)) {
      LOG.warn(
          "{} did not stop within {}; its producers are ended", setup.application(), CLOSE_TIMEOUT);
      clients.giveUp(); // Or a next client would never get the lock of the state directory.
      streams.close(leaving);
    }
  }

  private void unbindMetrics() {
    if (metrics != null) {
      metrics.close();
    }
  }

  /** Removes the local state after the client has been closed. */
  void cleanUp() {
    try {
      streams.cleanUp();
    } catch (IllegalStateException | StreamsException e) {
      LOG.warn("Cannot remove the local state of {}: {}", setup.application(), e.toString());
    }
  }
}
