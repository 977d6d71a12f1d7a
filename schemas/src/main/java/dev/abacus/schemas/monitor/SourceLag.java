package dev.abacus.schemas.monitor;

import dev.abacus.schemas.kafka.KafkaFutures;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads how far an application has consumed its source topics. Thread-safe. */
public final class SourceLag {

  private static final Logger LOG = LoggerFactory.getLogger(SourceLag.class);

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration FRESH = Duration.ofSeconds(1);

  private final Admin admin;
  private final String group;
  private final Set<String> topics;
  private volatile @Nullable SourceOffsets last;

  /** When {@link #last} was found, by {@link System#nanoTime}. */
  private volatile long foundAt;

  private volatile @Nullable Future<?> query;

  /**
   * Creates the query but does not run it.
   *
   * @param group consumer group of the application
   */
  public SourceLag(Admin admin, String group, Collection<String> topics) {
    this.admin = admin;
    this.group = group;
    this.topics = Set.copyOf(topics);
  }

  /**
   * The last known lag, null before the first result. Does not block: starts a query unless one is
   * running.
   */
  public @Nullable Long latest() {
    Future<?> running = query;
    if (running == null || running.isDone()) {
      query = start();
    }
    SourceOffsets known = last;
    return known == null ? null : known.lag();
  }

  private Future<?> start() {
    FutureTask<SourceOffsets> started = new FutureTask<>(this::query);
    Thread.ofVirtual().name("abacus-lag-" + group).start(started);
    return started;
  }

  /**
   * Queries the offsets, unless they were queried within the last second, and waits for them, for
   * some seconds; what fails stays as it was.
   */
  public void refresh() throws InterruptedException {
    if (last != null && System.nanoTime() - foundAt < FRESH.toNanos()) {
      return;
    }
    try {
      start().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("Cannot query the offsets of {}", group, e);
    }
  }

  /** The offsets that the last lag follows from; null before the first result. */
  public @Nullable SourceOffsets last() {
    return last;
  }

  /** The last known number of partitions of each topic; empty before the first result. */
  public Map<String, Integer> partitions() {
    SourceOffsets known = last;
    return known == null
        ? Map.of()
        : known.end().keySet().stream()
            .collect(Collectors.toMap(TopicPartition::topic, _ -> 1, Integer::sum));
  }

  /**
   * Queries the offsets and waits for them.
   *
   * @throws KafkaException if a topic does not exist or the cluster cannot be reached
   */
  public SourceOffsets query() throws InterruptedException {
    SourceOffsets offsets = query(admin, List.of(this)).get(this);
    if (offsets == null) {
      throw new KafkaException("The lag of %s cannot be queried".formatted(group));
    }
    return offsets;
  }

  /**
   * Queries the offsets of many applications, with as many requests as for one.
   *
   * @return without those that cannot be queried, for example because a topic does not exist
   */
  public static Map<SourceLag, SourceOffsets> query(Admin admin, Collection<SourceLag> applications)
      throws InterruptedException {
    if (applications.isEmpty()) {
      return Map.of();
    }
    Map<String, ListConsumerGroupOffsetsSpec> groups = new HashMap<>();
    Set<String> topics = new HashSet<>();
    for (SourceLag application : applications) {
      groups.put(application.group, new ListConsumerGroupOffsetsSpec());
      topics.addAll(application.topics);
    }
    ListConsumerGroupOffsetsResult asked = admin.listConsumerGroupOffsets(groups);
    Logs logs = Logs.of(admin, topics, OffsetSpec.earliest());
    Map<String, Map<TopicPartition, OffsetAndMetadata>> committed =
        found(groups.keySet(), asked::partitionsToOffsetAndMetadata);
    Map<SourceLag, SourceOffsets> all = new HashMap<>();
    for (SourceLag application : applications) {
      SourceOffsets offsets = application.between(committed.get(application.group), logs);
      if (offsets != null) {
        all.put(application, offsets);
      }
    }
    return all;
  }

  /** Documents of open transactions cannot be consumed yet; they are no lag. */
  private @Nullable SourceOffsets between(
      @Nullable Map<TopicPartition, OffsetAndMetadata> committed, Logs logs) {
    Set<TopicPartition> partitions = logs.partitions(topics);
    if (committed == null || partitions.isEmpty()) {
      return null;
    }
    SourceOffsets offsets =
        SourceOffsets.of(
            committed, offsets(partitions, logs.from()), offsets(partitions, logs.end()));
    last = offsets;
    foundAt = System.nanoTime();
    return offsets;
  }

  private static Map<TopicPartition, Long> offsets(
      Set<TopicPartition> partitions, Map<TopicPartition, ListOffsetsResultInfo> found) {
    return partitions.stream()
        .collect(
            Collectors.toMap(
                Function.identity(),
                partition -> Objects.requireNonNull(found.get(partition)).offset()));
  }

  /** Queries the records since a time, and waits for the answer. */
  public Arrived since(Instant time) throws InterruptedException {
    Logs logs = Logs.of(admin, topics, OffsetSpec.forTimestamp(time.toEpochMilli()));
    long records = 0;
    long earliest = Long.MAX_VALUE;
    for (TopicPartition partition : logs.partitions(topics)) {
      ListOffsetsResultInfo first = Objects.requireNonNull(logs.from().get(partition));
      long end = Objects.requireNonNull(logs.end().get(partition)).offset();
      // A partition without such a record has an unknown offset.
      if (first.offset() >= 0) {
        records += Math.max(0, end - first.offset());
        earliest = Math.min(earliest, first.timestamp());
      }
    }
    return new Arrived(records, Instant.ofEpochMilli(earliest));
  }

  /**
   * Records since a time.
   *
   * @param records their number, with the markers of transactions
   * @param first timestamp of the first one; far in the future if there is none
   */
  public record Arrived(long records, Instant first) {}

  /** Two offsets of each partition of the topics that exist. */
  private record Logs(
      Map<String, TopicDescription> topics,
      Map<TopicPartition, ListOffsetsResultInfo> from,
      Map<TopicPartition, ListOffsetsResultInfo> end) {

    static Logs of(Admin admin, Set<String> topics, OffsetSpec from) throws InterruptedException {
      Map<String, TopicDescription> described =
          found(topics, admin.describeTopics(topics).topicNameValues()::get);
      Set<TopicPartition> partitions =
          described.values().stream().flatMap(Logs::partitions).collect(Collectors.toSet());
      ListOffsetsResult first = list(admin, partitions, from);
      ListOffsetsResult last = list(admin, partitions, OffsetSpec.latest());
      return new Logs(
          described,
          found(partitions, first::partitionResult),
          found(partitions, last::partitionResult));
    }

    /** The partitions of these topics; none if something of one of them is unknown. */
    Set<TopicPartition> partitions(Set<String> names) {
      Set<TopicPartition> partitions =
          names.stream()
              .flatMap(topic -> partitions(topics.get(topic)))
              .collect(Collectors.toSet());
      boolean known =
          topics.keySet().containsAll(names)
              && from.keySet().containsAll(partitions)
              && end.keySet().containsAll(partitions);
      return known ? partitions : Set.of();
    }

    private static Stream<TopicPartition> partitions(@Nullable TopicDescription topic) {
      return topic == null
          ? Stream.empty()
          : topic.partitions().stream()
              .map(partition -> new TopicPartition(topic.name(), partition.partition()));
    }

    private static ListOffsetsResult list(
        Admin admin, Set<TopicPartition> partitions, OffsetSpec which) {
      return admin.listOffsets(
          partitions.stream().collect(Collectors.toMap(Function.identity(), _ -> which)),
          new ListOffsetsOptions(IsolationLevel.READ_COMMITTED));
    }
  }

  /** What was asked for, without what failed. */
  private static <K, V> Map<K, V> found(Set<K> keys, Function<K, @Nullable KafkaFuture<V>> answers)
      throws InterruptedException {
    Map<K, V> found = new HashMap<>();
    for (K key : keys) {
      try {
        found.put(key, KafkaFutures.get(answers.apply(key)));
      } catch (KafkaException e) {
        LOG.debug("Cannot query {}: {}", key, e.toString());
      }
    }
    return found;
  }
}
