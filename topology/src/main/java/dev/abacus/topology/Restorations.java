package dev.abacus.topology;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changelogs that tasks of a client restore before they process documents. A restoration ends
 * only at the end of its changelog, and reads nothing behind an open transaction; a broker may
 * forget to end one (KAFKA-20734).
 */
final class Restorations implements StateRestoreListener {

  private static final Logger LOG = LoggerFactory.getLogger(Restorations.class);

  private record Restoration(long next, long end, Instant since) {}

  private final InstantSource clock;
  private final Duration patience;
  private final Map<TopicPartition, Restoration> running = new ConcurrentHashMap<>();
  private @Nullable String reported;

  /**
   * No changelog is restored yet.
   *
   * @param patience time without progress after which a task waits; longer than a transaction may
   *     be open
   */
  Restorations(InstantSource clock, Duration patience) {
    this.clock = clock;
    this.patience = patience;
  }

  @Override
  public void onRestoreStart(TopicPartition changelog, String store, long start, long end) {
    running.put(changelog, new Restoration(start, end, clock.instant()));
  }

  @Override
  public void onBatchRestored(TopicPartition changelog, String store, long last, long records) {
    running.computeIfPresent(
        changelog, (_, before) -> new Restoration(last + 1, before.end(), clock.instant()));
  }

  @Override
  public void onRestoreEnd(TopicPartition changelog, String store, long records) {
    running.remove(changelog);
  }

  @Override
  public void onRestoreSuspended(TopicPartition changelog, String store, long records) {
    running.remove(changelog);
  }

  /** Why a task does not start, which is logged too; null if all progress. */
  synchronized @Nullable String problem() {
    Instant patient = clock.instant().minus(patience);
    String problem =
        running.entrySet().stream()
            .filter(entry -> entry.getValue().since().isBefore(patient))
            .map(entry -> describe(entry.getKey(), entry.getValue()))
            .sorted()
            .findFirst()
            .orElse(null);
    if (problem != null && !problem.equals(reported)) {
      LOG.warn("A task does not start: {}", problem);
    }
    reported = problem;
    return problem;
  }

  private static String describe(TopicPartition changelog, Restoration restoration) {
    return "%s is restored to offset %d of %d, nothing since %s: see 'One broker' in docs/guarantees.md"
        .formatted(
            changelog,
            restoration.next(),
            restoration.end(),
            restoration.since().truncatedTo(ChronoUnit.SECONDS));
  }
}
