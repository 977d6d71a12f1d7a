package dev.abacus.optimizer.kafka;

import dev.abacus.optimizer.governor.Workload;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.monitor.SourceOffsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Counts what waits for the workers of one program.
 *
 * <p>Committed offsets of a running application pass the markers and the aborted records of
 * transactions. If no worker runs, nothing passes them, so a short distance to the end of a
 * partition is read and its records are counted: a transaction without documents starts no worker.
 */
final class BacklogCounter {

  /** Longest distance in a partition that is read. Beyond it, distances are taken for documents. */
  private static final long LONGEST_READ = 1_000;

  /** Time over which arrivals are counted. */
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private record Production(Instant at, Set<TopicPartition> partitions, long records) {}

  private record Counted(long next, long end, long documents) {}

  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final Deque<Production> productions = new ArrayDeque<>();
  private Map<TopicPartition, Counted> counted = new HashMap<>();

  /** Creates a counter; consumers of committed records are opened when they are needed. */
  BacklogCounter(Supplier<Consumer<byte[], byte[]>> consumers) {
    this.consumers = consumers;
  }

  /** Counts once. */
  Backlog count(Workload workload, SourceOffsets offsets, Instant now) {
    Double arrivals = arrivals(offsets, now);
    Double seconds = workload.seconds();
    long documents =
        workload.paused()
            ? 0
            : workload.pending() + (workload.instances() > 0 ? offsets.lag() : read(offsets));
    return new Backlog(
        documents,
        arrivals,
        arrivals == null || seconds == null ? null : workload.paused() ? 0 : arrivals * seconds);
  }

  private @Nullable Double arrivals(SourceOffsets offsets, Instant now) {
    Production last = new Production(now, offsets.end().keySet(), offsets.produced());
    // Other partitions, or topics that were created anew, have another count. The clock may go
    // back.
    productions.removeIf(earlier ->
        earlier.records() > last.records()
            || !earlier.partitions().equals(last.partitions())
            || earlier.at().isAfter(now));
    productions.add(last);
    while (productions.size() > 2
        && Duration.between(productions.getFirst().at(), now).compareTo(WINDOW) > 0) {
      productions.removeFirst();
    }
    Production first = productions.getFirst();
    long millis = Duration.between(first.at(), now).toMillis();
    return millis <= 0 ? null : (last.records() - first.records()) * 1000.0 / millis;
  }

  /** Documents of all partitions without a worker. */
  private long read(SourceOffsets offsets) {
    Map<TopicPartition, Counted> now = new HashMap<>();
    Map<TopicPartition, Long> unread = new HashMap<>();
    offsets
        .end()
        .forEach((partition, end) -> {
          long lag = offsets.lag(partition);
          long next = end - lag;
          Counted known = counted.get(partition);
          if (lag == 0 || lag > LONGEST_READ) {
            now.put(partition, new Counted(next, end, lag));
          } else if (known != null && known.next() == next && known.end() == end) {
            now.put(partition, known);
          } else {
            unread.put(partition, next);
          }
        });
    if (!unread.isEmpty()) {
      now.putAll(read(unread, offsets));
    }
    counted = now;
    return now.values().stream().mapToLong(Counted::documents).sum();
  }

  private Map<TopicPartition, Counted> read(
      Map<TopicPartition, Long> unread, SourceOffsets offsets) {
    Map<TopicPartition, Long> end = new HashMap<>(offsets.end());
    end.keySet().retainAll(unread.keySet());
    Map<TopicPartition, Long> documents = new HashMap<>();
    try (Consumer<byte[], byte[]> consumer = consumers.get()) {
      new TopicRange(unread, end)
          .read(
              consumer,
              PATIENCE,
              record -> documents.merge(TopicReader.partition(record), 1L, Long::sum));
    } catch (KafkaException e) { // One source must not hide what waits for the other programs.
      unread.keySet().forEach(partition -> documents.put(partition, offsets.lag(partition)));
    }
    Map<TopicPartition, Counted> now = new HashMap<>();
    unread.forEach((partition, next) -> {
      long found = documents.getOrDefault(partition, 0L);
      now.put(partition, new Counted(next, end.getOrDefault(partition, next), found));
    });
    return now;
  }
}
