package dev.abacus.schemas.kafka;

import static dev.abacus.schemas.kafka.KafkaFutures.get;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Creates missing topics, and raises limits and numbers of partitions of existing ones. */
public final class TopicSetup {

  private static final Duration LEADERS_TIMEOUT = Duration.ofMinutes(1);
  private static final Duration LEADERS_PAUSE = Duration.ofMillis(50);

  private TopicSetup() {}

  /**
   * Creates the topics that do not exist, and waits until they are usable.
   *
   * @param replicationFactor -1 means the default of the broker
   * @return names of the created topics
   * @throws KafkaException if the cluster refuses or cannot be reached
   */
  public static List<String> ensure(
      Admin admin, Collection<TopicSpec> specs, short replicationFactor)
      throws InterruptedException {
    Set<String> existing = get(admin.listTopics().names());
    List<NewTopic> missing =
        specs.stream()
            .filter(spec -> !existing.contains(spec.name()))
            .map(spec ->
                new NewTopic(
                        spec.name(),
                        Optional.of(spec.partitions()),
                        Optional.of(replicationFactor).filter(factor -> factor > 0))
                    .configs(spec.settings()))
            .toList();
    for (Map.Entry<String, KafkaFuture<Void>> created :
        admin.createTopics(missing).values().entrySet()) {
      try {
        get(created.getKey(), created.getValue());
      } catch (TopicExistsException e) {
        // Another instance created the topic.
      }
    }
    awaitLeaders(
        admin, missing.stream().collect(Collectors.toMap(NewTopic::name, NewTopic::numPartitions)));
    return missing.stream().map(NewTopic::name).toList();
  }

  /**
   * Adds partitions to topics that have fewer, and waits until they are usable. Topics that do not
   * exist are ignored.
   *
   * @param least the number of partitions of each topic, at least
   * @return names of the changed topics
   * @throws KafkaException if the cluster refuses, with what helps, or cannot be reached
   */
  public static List<String> grow(Admin admin, Map<String, Integer> least)
      throws InterruptedException {
    Map<String, Integer> grown = new TreeMap<>();
    partitions(admin, least.keySet())
        .forEach((topic, present) -> {
          int number = least.getOrDefault(topic, 0);
          if (present < number) {
            grown.put(topic, number);
          }
        });
    Map<String, NewPartitions> wanted = new HashMap<>();
    grown.forEach((topic, number) -> wanted.put(topic, NewPartitions.increaseTo(number)));
    for (KafkaFuture<Void> added : admin.createPartitions(wanted).values().values()) {
      try {
        get(added);
      } catch (InvalidPartitionsException e) {
        // Another instance added them.
      } catch (AuthorizationException e) {
        // Without the cause, which says that something is missing that is always needed.
        throw new KafkaException(
            "these topics need as many partitions as what is read with them: %s. Add them with kafka-topics.sh --alter, or grant Alter on the topics (%s)"
                .formatted(grown, e.getMessage()));
      }
    }
    awaitLeaders(admin, grown);
    return List.copyOf(grown.keySet());
  }

  /**
   * Waits until the leaders of new partitions serve them. An earlier producer would be refused, and
   * an idempotent producer might not recover its sequence.
   */
  private static void awaitLeaders(Admin admin, Map<String, Integer> sizes)
      throws InterruptedException {
    Map<TopicPartition, OffsetSpec> partitions = new HashMap<>();
    sizes.forEach((topic, number) -> {
      for (int i = 0; i < number; i++) {
        partitions.put(new TopicPartition(topic, i), OffsetSpec.latest());
      }
    });
    Instant deadline = Instant.now().plus(LEADERS_TIMEOUT);
    while (!partitions.isEmpty()) {
      try {
        get(admin.listOffsets(partitions).all());
        return;
      } catch (RetriableException e) {
        // A broker without metadata of a new topic reports that it does not exist.
        if (Instant.now().isAfter(deadline)) {
          throw e;
        }
        Thread.sleep(LEADERS_PAUSE);
      }
    }
  }

  /**
   * Raises {@code max.message.bytes} of topics where it is lower. Topics that do not exist are
   * ignored.
   *
   * @return names of the changed topics
   * @throws KafkaException if the cluster refuses or cannot be reached
   */
  public static List<String> raiseMessageLimit(Admin admin, Collection<String> topics, int bytes)
      throws InterruptedException {
    return raise(admin, topics, TopicConfig.MAX_MESSAGE_BYTES_CONFIG, bytes);
  }

  /**
   * Raises {@code min.compaction.lag.ms} of the control topic if it is lower than a day, so that
   * the value before a refused record is not removed before it is restored, and its {@code
   * max.message.bytes}, so that it takes every plan.
   *
   * @throws KafkaException if the cluster refuses or cannot be reached
   */
  public static void raiseControlLimits(Admin admin, KafkaNames names) throws InterruptedException {
    List<String> control = List.of(names.control());
    raise(
        admin,
        control,
        TopicConfig.MIN_COMPACTION_LAG_MS_CONFIG,
        TopicSpec.CONTROL_COMPACTION_LAG_MS);
    raiseMessageLimit(admin, control, TopicSpec.LARGE_MESSAGES);
  }

  private static List<String> raise(
      Admin admin, Collection<String> topics, String setting, long least)
      throws InterruptedException {
    Set<String> existing =
        get(admin.listTopics(new ListTopicsOptions().listInternal(true)).names());
    List<ConfigResource> resources =
        topics.stream()
            .distinct()
            .filter(existing::contains)
            .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
            .toList();
    Map<ConfigResource, Collection<AlterConfigOp>> changes = new HashMap<>();
    for (Map.Entry<ConfigResource, KafkaFuture<Config>> topic :
        admin.describeConfigs(resources).values().entrySet()) {
      ConfigEntry limit = get(topic.getKey().name(), topic.getValue()).get(setting);
      if (limit != null && Long.parseLong(limit.value()) < least) {
        ConfigEntry raised = new ConfigEntry(setting, String.valueOf(least));
        changes.put(topic.getKey(), List.of(new AlterConfigOp(raised, AlterConfigOp.OpType.SET)));
      }
    }
    List<String> raised = changes.keySet().stream().map(ConfigResource::name).sorted().toList();
    try {
      get(admin.incrementalAlterConfigs(changes).all());
    } catch (AuthorizationException e) {
      // Without the cause, which says that something is missing that is always needed.
      throw new KafkaException(
          "%s of %s must be at least %d. Set it with kafka-configs.sh, or grant AlterConfigs on the topics (%s)"
              .formatted(setting, raised, least, e.getMessage()));
    }
    return raised;
  }

  /**
   * What is wrong with settings that decide what Kafka keeps of topics and whose time it tells.
   * Topics that do not exist or whose configuration this client may not describe are taken to be
   * right.
   *
   * @throws KafkaException if the cluster cannot be reached
   */
  public static List<String> deviations(Admin admin, Collection<TopicSpec> specs)
      throws InterruptedException {
    Map<ConfigResource, TopicSpec> wanted = new LinkedHashMap<>();
    specs.forEach(
        spec -> wanted.put(new ConfigResource(ConfigResource.Type.TOPIC, spec.name()), spec));
    Map<ConfigResource, KafkaFuture<Config>> found =
        admin.describeConfigs(wanted.keySet()).values();
    List<String> deviations = new ArrayList<>();
    for (Map.Entry<ConfigResource, TopicSpec> topic : wanted.entrySet()) {
      try {
        deviations.addAll(
            deviations(topic.getValue(), get(Objects.requireNonNull(found.get(topic.getKey())))));
      } catch (AuthorizationException | UnknownTopicOrPartitionException e) {
        // It is taken to be right.
      }
    }
    return deviations;
  }

  private static List<String> deviations(TopicSpec spec, Config found) {
    List<String> deviations = new ArrayList<>();
    List<String> settings =
        spec.name().endsWith(TopicSpec.REPARTITION)
            ? List.of(
                TopicConfig.CLEANUP_POLICY_CONFIG,
                TopicConfig.RETENTION_MS_CONFIG,
                TopicConfig.RETENTION_BYTES_CONFIG)
            : List.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG);
    for (String setting : settings) {
      String right = spec.settings().get(setting);
      ConfigEntry present = found.get(setting);
      if (right != null && present != null && !parts(present.value()).equals(parts(right))) {
        deviations.add(
            "%s of %s is %s instead of %s".formatted(setting, spec.name(), present.value(), right));
      }
    }
    return deviations;
  }

  private static Set<String> parts(String value) {
    return Set.of(value.split(","));
  }

  /** Names of the internal topics of applications, with those of samples and references. */
  public static List<String> internalTopics(
      Admin admin, KafkaNames names, Collection<String> applications) throws InterruptedException {
    Set<String> all = get(admin.listTopics(new ListTopicsOptions().listInternal(true)).names());
    return internalTopics(all, names, applications);
  }

  /**
   * Program {@code a} has the beginning of the topics of {@code a-b}. That {@code a-b} is or was a
   * program is seen from its own topics, which stay when it is removed.
   */
  static List<String> internalTopics(
      Set<String> all, KafkaNames names, Collection<String> applications) {
    List<String> known = names.programs(all).stream().map(names::application).toList();
    return all.stream()
        .filter(topic -> topic.endsWith("-changelog") || topic.endsWith(TopicSpec.REPARTITION))
        .filter(topic -> applications.stream().anyMatch(one -> isOf(one + "-", topic, known)))
        .toList();
  }

  private static boolean isOf(String beginning, String topic, Collection<String> applications) {
    return topic.startsWith(beginning)
        && applications.stream()
            .noneMatch(other -> other.startsWith(beginning) && topic.startsWith(other + "-"));
  }

  /**
   * Number of partitions of a topic; 0 if it does not exist.
   *
   * @throws KafkaException if the cluster refuses or cannot be reached
   */
  public static int partitions(Admin admin, String topic) throws InterruptedException {
    return partitions(admin, Set.of(topic)).getOrDefault(topic, 0);
  }

  /**
   * Number of partitions of each of these topics that exists.
   *
   * @throws KafkaException if the cluster refuses or cannot be reached
   */
  public static Map<String, Integer> partitions(Admin admin, Set<String> topics)
      throws InterruptedException {
    Map<String, Integer> sizes = new HashMap<>();
    describe(admin, topics).forEach((topic, found) -> sizes.put(topic, found.partitions().size()));
    return sizes;
  }

  /**
   * Those of these topics that exist.
   *
   * @throws KafkaException if the cluster refuses or cannot be reached
   */
  public static Map<String, TopicDescription> describe(Admin admin, Set<String> topics)
      throws InterruptedException {
    Map<String, TopicDescription> found = new HashMap<>();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
        admin.describeTopics(topics).topicNameValues().entrySet()) {
      try {
        found.put(topic.getKey(), get(topic.getKey(), topic.getValue()));
      } catch (UnknownTopicOrPartitionException e) {
        // It is not in the result.
      }
    }
    return found;
  }

  /**
   * The offset after the last record of a topic with one partition, with the records of open
   * transactions.
   *
   * @throws KafkaException if the cluster refuses or cannot be reached
   */
  public static long end(Admin admin, String topic) throws InterruptedException {
    TopicPartition partition = new TopicPartition(topic, 0);
    return get(
            topic,
            admin.listOffsets(Map.of(partition, OffsetSpec.latest())).partitionResult(partition))
        .offset();
  }
}
