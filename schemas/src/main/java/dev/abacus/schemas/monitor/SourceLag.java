package dev.abacus.schemas.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
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

/**
 * Reads how far an application has consumed its source topics. Never blocks: each call returns the
 * result of the last finished query.
 */
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

  private volatile @Nullable CompletionStage<?> query;

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

  /** The last known lag, null before the first result. Starts a query unless one is running. */
  public @Nullable Long latest() {
    CompletionStage<?> running = query;
    if (running == null || running.toCompletableFuture().isDone()) {
      query = query(admin, List.of(this));
    }
    SourceOffsets known = last;
    return known == null ? null : known.lag();
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
      query().toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
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

  /** Queries the offsets; fails if a topic does not exist or the cluster cannot be reached. */
  public CompletionStage<SourceOffsets> query() {
    return query(admin, List.of(this))
        .thenApply(found -> {
          SourceOffsets offsets = found.get(this);
          if (offsets == null) {
            throw new KafkaException("The lag of %s cannot be queried".formatted(group));
          }
          return offsets;
        });
  }

  /**
   * Queries the offsets of many applications, with as many requests as for one.
   *
   * @return without those that cannot be queried, for example because a topic does not exist
   */
  public static CompletionStage<Map<SourceLag, SourceOffsets>> query(
      Admin admin, Collection<SourceLag> applications) {
    if (applications.isEmpty()) {
      return CompletableFuture.completedStage(Map.of());
    }
    Map<String, ListConsumerGroupOffsetsSpec> groups = new HashMap<>();
    Set<String> topics = new HashSet<>();
    for (SourceLag application : applications) {
      groups.put(application.group, new ListConsumerGroupOffsetsSpec());
      topics.addAll(application.topics);
    }
    ListConsumerGroupOffsetsResult committed = admin.listConsumerGroupOffsets(groups);
    return found(groups.keySet(), committed::partitionsToOffsetAndMetadata)
        .thenCombine(
            logs(admin, topics, OffsetSpec.earliest(), OffsetSpec.latest()),
            (commits, logs) -> {
              Map<SourceLag, SourceOffsets> all = new HashMap<>();
              for (SourceLag application : applications) {
                application.between(commits, logs).ifPresent(found -> all.put(application, found));
              }
              return all;
            });
  }

  /** Documents of open transactions cannot be consumed yet; they are no lag. */
  private Optional<SourceOffsets> between(
      Map<String, Map<TopicPartition, OffsetAndMetadata>> commits, Logs logs) {
    Map<TopicPartition, OffsetAndMetadata> committed = commits.get(group);
    Set<TopicPartition> partitions = logs.partitions(topics);
    if (committed == null || partitions.isEmpty()) {
      return Optional.empty();
    }
    SourceOffsets offsets =
        SourceOffsets.of(
            committed, offsets(partitions, logs.from()), offsets(partitions, logs.end()));
    last = offsets;
    foundAt = System.nanoTime();
    return Optional.of(offsets);
  }

  private static Map<TopicPartition, Long> offsets(
      Set<TopicPartition> partitions, Map<TopicPartition, ListOffsetsResultInfo> found) {
    return partitions.stream()
        .collect(
            Collectors.toMap(
                Function.identity(),
                partition -> Objects.requireNonNull(found.get(partition)).offset()));
  }

  /** Queries the records since a time. */
  public CompletionStage<Arrived> since(Instant time) {
    return logs(admin, topics, OffsetSpec.forTimestamp(time.toEpochMilli()), OffsetSpec.latest())
        .thenApply(logs -> arrived(logs.partitions(topics), logs));
  }

  private static Arrived arrived(Set<TopicPartition> partitions, Logs logs) {
    long records = 0;
    long earliest = Long.MAX_VALUE;
    for (TopicPartition partition : partitions) {
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

    /** The partitions of these topics; none if something of one of them is unknown. */
    Set<TopicPartition> partitions(Set<String> of) {
      Set<TopicPartition> partitions =
          of.stream()
              .flatMap(topic -> SourceLag.partitions(topics.get(topic)))
              .collect(Collectors.toSet());
      boolean known =
          topics.keySet().containsAll(of)
              && from.keySet().containsAll(partitions)
              && end.keySet().containsAll(partitions);
      return known ? partitions : Set.of();
    }
  }

  private static CompletionStage<Logs> logs(
      Admin admin, Set<String> topics, OffsetSpec from, OffsetSpec end) {
    Map<String, KafkaFuture<TopicDescription>> descriptions =
        admin.describeTopics(topics).topicNameValues();
    return found(topics, descriptions::get)
        .thenCompose(described -> {
          Set<TopicPartition> partitions =
              described.values().stream()
                  .flatMap(SourceLag::partitions)
                  .collect(Collectors.toSet());
          return list(admin, partitions, from)
              .thenCombine(
                  list(admin, partitions, end), (first, last) -> new Logs(described, first, last));
        });
  }

  private static Stream<TopicPartition> partitions(@Nullable TopicDescription topic) {
    return topic == null
        ? Stream.empty()
        : topic.partitions().stream()
            .map(partition -> new TopicPartition(topic.name(), partition.partition()));
  }

  private static CompletionStage<Map<TopicPartition, ListOffsetsResultInfo>> list(
      Admin admin, Set<TopicPartition> partitions, OffsetSpec which) {
    ListOffsetsResult listed =
        admin.listOffsets(
            partitions.stream().collect(Collectors.toMap(Function.identity(), _ -> which)),
            new ListOffsetsOptions(IsolationLevel.READ_COMMITTED));
    return found(partitions, listed::partitionResult);
  }

  /** What was asked for, without what failed. */
  private static <K, V> CompletionStage<Map<K, V>> found(
      Set<K> keys, Function<K, @Nullable KafkaFuture<V>> futures) {
    Map<K, V> found = new ConcurrentHashMap<>();
    CompletableFuture<?>[] all =
        keys.stream()
            .map(key ->
                Objects.requireNonNull(futures.apply(key))
                    .whenComplete((value, failure) -> {
                      if (failure == null) {
                        found.put(key, value);
                      } else {
                        LOG.debug("Cannot query {}: {}", key, failure.toString());
                      }
                    })
                    .toCompletionStage()
                    .exceptionally(_ -> null)
                    .toCompletableFuture())
            .toArray(CompletableFuture[]::new);
    return CompletableFuture.allOf(all).thenApply(_ -> found);
  }
}
