package dev.abacus.deploy.cluster;

import static dev.abacus.schemas.kafka.KafkaFutures.get;

import dev.abacus.schemas.access.MissingAclException;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.access.RoleAccess;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.ByteClients;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.replay.DeadLetterReplay;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.NotEnoughReplicasAfterAppendException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.utils.Utils;

/**
 * Connection to a Kafka cluster; creates clients.
 *
 * @param properties client properties, including {@code bootstrap.servers}
 */
public record KafkaConnection(Map<String, String> properties) implements DeadLetterReplay.Clients {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  public KafkaConnection {
    properties = Map.copyOf(properties);
  }

  /** A connection without further client properties. */
  public static KafkaConnection to(String bootstrapServers) {
    return new KafkaConnection(
        Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers));
  }

  public String bootstrapServers() {
    return properties.getOrDefault(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, "");
  }

  /** Names of topics, groups and transactional ids. */
  public KafkaNames names() {
    return KafkaNames.of(properties);
  }

  /** The Kafka Streams application of a program's newest version that these workers run. */
  public String application(Program program, Collection<InstanceStatus> workers) {
    return workers.stream()
        .flatMap(instance -> instance.versions().stream())
        .max(Comparator.comparingInt(InstanceStatus.VersionStatus::version))
        .map(InstanceStatus.VersionStatus::application)
        .orElseGet(() -> names().application(program.name()));
  }

  /**
   * Checks that the cluster answers.
   *
   * @throws OperationFailedException if the cluster does not answer within 10 s
   */
  public void check() {
    var _ = ask(admin -> get(admin.describeCluster().clusterId()));
  }

  /** A call of the admin client. */
  @FunctionalInterface
  public interface Query<T> {
    T ask(Admin admin) throws InterruptedException;
  }

  /**
   * Changes the cluster by an admin client.
   *
   * @param undone what did not happen if Kafka refuses
   * @throws OperationFailedException if the cluster refuses or does not answer
   * @throws AuthorizationException if the user may not do it
   */
  public <T> T administer(String undone, Query<T> change) {
    return administer(undone, "Check the brokers and run the command again.", change);
  }

  /** As {@link #administer(String, Query)}, with a remedy of its own. */
  public <T> T administer(String undone, String remedy, Query<T> change) {
    return ask(
        change,
        cause -> {
          if (cause instanceof TimeoutException) {
            OperationFailedException silence = unreachable(cause);
            return new OperationFailedException(
                undone + ", as far as is known: " + silence.getMessage(), silence.remedy(), cause);
          }
          return new OperationFailedException(undone + ": " + cause.getMessage(), remedy, cause);
        });
  }

  private <T> T ask(Query<T> query) {
    return ask(query, this::unreachable);
  }

  private <T> T ask(Query<T> query, Function<Throwable, OperationFailedException> failure) {
    try (Admin admin = admin()) {
      return query.ask(admin);
    } catch (AuthorizationException e) {
      throw e;
    } catch (KafkaException e) {
      throw failure.apply(e);
    } catch (InterruptedException e) {
      throw failure.apply(new InterruptException(e));
    }
  }

  private OperationFailedException unreachable(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    if (root instanceof TimeoutException && answers()) {
      return new OperationFailedException(
          "Kafka at %s cannot be used: a broker answers, but not in time to all that this needs: a controller or another broker is away or overloaded"
              .formatted(bootstrapServers()),
          "Check that the controllers and all brokers run (kafka-metadata-quorum.sh describe --status), then run the command again.",
          cause);
    }
    if (root instanceof TimeoutException && isOpen()) {
      // A broker drops what is not in its protocol, and clients try again.
      return new OperationFailedException(
          "Kafka at %s cannot be used: it takes connections, but no broker answers with security.protocol=%s"
              .formatted(bootstrapServers(), protocol()),
          "Set security.protocol, and what it needs, as the listener has it (docs/security.md). If it is right, the brokers start or are overloaded, or this machine cannot resolve or reach the addresses that they advertise (advertised.listeners).",
          cause);
    }
    return new OperationFailedException(
        "Kafka at %s cannot be used: %s".formatted(bootstrapServers(), root.getMessage()),
        "Check that it runs and that --bootstrap-server, --command-config and -X fit it; `abacus up` starts one here.",
        cause);
  }

  private String protocol() {
    return properties.getOrDefault(
        CommonClientConfigs.SECURITY_PROTOCOL_CONFIG,
        CommonClientConfigs.DEFAULT_SECURITY_PROTOCOL);
  }

  /** Whether a broker says which brokers there are: it knows them without a controller. */
  private boolean answers() {
    try (Admin admin = admin()) {
      DescribeClusterOptions soon = new DescribeClusterOptions().timeoutMs(2000);
      return !get(admin.describeCluster(soon).nodes()).isEmpty();
    } catch (KafkaException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Whether one of the bootstrap servers takes connections. */
  private boolean isOpen() {
    return Arrays.stream(bootstrapServers().split(","))
        .map(address ->
            new InetSocketAddress(Utils.getHost(address.strip()), Utils.getPort(address.strip())))
        .anyMatch(KafkaConnection::isOpen);
  }

  private static boolean isOpen(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address, 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Checks that topics exist.
   *
   * @throws OperationFailedException if the cluster does not answer or a topic is missing
   * @throws TopicAuthorizationException if topics may not be described
   */
  public void requireTopics(Collection<String> topics) {
    requireTopics(topics, Path.of("PROGRAM.yaml"));
  }

  /**
   * Checks that the topics of a program exist.
   *
   * @param program file of the program, for the remedy
   * @throws OperationFailedException if the cluster does not answer or a topic is missing
   * @throws TopicAuthorizationException if topics may not be described
   */
  public void requireTopics(Collection<String> topics, Path program) {
    Set<String> missing = new TreeSet<>();
    Set<String> denied = new TreeSet<>();
    var _ =
        ask(admin -> {
          for (var topic : admin.describeTopics(topics).topicNameValues().entrySet()) {
            try {
              var _ = get(topic.getValue());
            } catch (UnknownTopicOrPartitionException e) {
              missing.add(topic.getKey());
            } catch (TopicAuthorizationException e) {
              denied.add(topic.getKey());
            }
          }
          return topics;
        });
    if (!denied.isEmpty()) {
      throw new TopicAuthorizationException(denied);
    }
    if (!missing.isEmpty()) {
      throw new OperationFailedException(
          "Kafka at %s has no topic %s".formatted(bootstrapServers(), String.join(", ", missing)),
          missing.equals(Set.of(names().answers()))
              ? "Workers with an answer store (abacus.answers.max.age.ms) create it; until then no answer is stored."
              : "`abacus topics create %s --bootstrap-server %s` creates what is missing; `apply` and `run` do with --create-topics."
                  .formatted(program, bootstrapServers()));
    }
  }

  /**
   * Checks the ACLs that a role needs for the shared topics and for programs.
   *
   * @throws OperationFailedException if the cluster does not answer
   * @throws MissingAclException if Kafka does not allow all
   */
  public void requireAccess(Role role, Collection<Program> programs) {
    RoleAccess access = RoleAccess.of(role, properties);
    access.remember(programs);
    var _ =
        ask(admin -> {
          access.requireAll(admin);
          return programs;
        });
  }

  /**
   * Names of all topics that may be described.
   *
   * @throws OperationFailedException if the cluster does not answer
   */
  public Set<String> topics() {
    return ask(admin -> get(admin.listTopics().names()));
  }

  /**
   * End offsets of partitions, including records of open transactions.
   *
   * @throws OperationFailedException if the cluster does not answer
   */
  public Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
    return ask(admin -> ProgramGroups.offsets(admin, partitions, OffsetSpec.latest()));
  }

  /** Creates an admin client. */
  public Admin admin() {
    Map<String, Object> all = new HashMap<>(properties);
    all.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) TIMEOUT.toMillis());
    all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) TIMEOUT.toMillis() / 2);
    return Admin.create(all);
  }

  /** Creates a {@code read_committed} consumer without auto-commit. */
  @Override
  public Consumer<byte[], byte[]> consumer(Map<String, Object> overrides) {
    Map<String, Object> all = new HashMap<>();
    all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    all.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    all.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    all.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) TIMEOUT.toMillis());
    all.putAll(properties);
    all.putAll(overrides);
    return ByteClients.consumer(all);
  }

  /**
   * Creates a consumer that reads all partitions of topics, which must exist, from the beginning.
   */
  public Consumer<byte[], byte[]> consumerOf(Collection<String> topics) {
    Consumer<byte[], byte[]> consumer = consumer(Map.of());
    consumer.assign(TopicRange.partitions(consumer, topics));
    return consumer;
  }

  /** Creates a consumer that reads what arrives on topics, which must exist, from now on. */
  public Consumer<byte[], byte[]> consumerAtEnd(Collection<String> topics) {
    Consumer<byte[], byte[]> consumer = consumerOf(topics);
    consumer.seekToEnd(consumer.assignment());
    // Seeking is lazy: fix the positions before anything is sent.
    consumer.assignment().forEach(consumer::position);
    return consumer;
  }

  /**
   * Writes records, in this order; returns when Kafka has acknowledged all.
   *
   * @param overrides properties of the producer
   * @param undone what did not happen if Kafka refuses a record, such as "nothing was changed"
   * @throws OperationFailedException if a topic is missing, or Kafka does not take a record
   */
  public List<RecordMetadata> send(
      List<ProducerRecord<byte[], byte[]>> records, Map<String, Object> overrides, String undone) {
    Set<String> topics = new TreeSet<>();
    records.forEach(record -> topics.add(record.topic()));
    requireTopics(topics);
    return new PatientWriting(this, topics).run(() -> send(records, overrides, undone, topics));
  }

  private List<RecordMetadata> send(
      List<ProducerRecord<byte[], byte[]>> records,
      Map<String, Object> overrides,
      String undone,
      Set<String> topics) {
    try (Producer<byte[], byte[]> producer = producer(overrides)) {
      List<RecordMetadata> taken = new ArrayList<>();
      for (Future<RecordMetadata> sent : records.stream().map(producer::send).toList()) {
        taken.add(get(sent));
      }
      return taken;
    } catch (KafkaException e) {
      throw refused(undone, topics, e);
    } catch (InterruptedException e) {
      throw refused(undone, topics, new InterruptException(e));
    }
  }

  private OperationFailedException refused(String undone, Set<String> topics, KafkaException e) {
    boolean unconfirmed =
        e instanceof TimeoutException
            || e instanceof NotEnoughReplicasException
            || e instanceof NotEnoughReplicasAfterAppendException;
    String remedy =
        unconfirmed
            ? "Check the connection and whether enough brokers of %s are up. A record without an answer may hold all the same: look before you run the command again."
            : e instanceof RecordTooLargeException
                ? "Raise the limit: max.message.bytes of %s with kafka-configs.sh, max.request.size with -X."
                : "Check the connection and whether this user may write to %s.";
    return new OperationFailedException(
        unconfirmed
            ? "%s, as far as is known: Kafka did not confirm the record: %s%s"
                .formatted(undone, e.getMessage(), new PatientWriting(this, topics).lacks())
            : "%s: Kafka did not take the record: %s".formatted(undone, e.getMessage()),
        remedy.formatted(String.join(", ", topics)),
        e);
  }

  /** Creates a producer with {@code acks=all}. */
  @Override
  public Producer<byte[], byte[]> producer(Map<String, Object> overrides) {
    Map<String, Object> all = new HashMap<>();
    all.put(ProducerConfig.ACKS_CONFIG, "all");
    all.put(ProducerConfig.LINGER_MS_CONFIG, 5);
    all.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, TIMEOUT.toMillis());
    all.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, DeadLetterReplay.TRANSACTION_MILLIS);
    all.putAll(properties);
    all.putAll(overrides);
    return ByteClients.producer(all);
  }

  /** The servers alone: other properties may be secret. */
  @Override
  public String toString() {
    return bootstrapServers();
  }
}
