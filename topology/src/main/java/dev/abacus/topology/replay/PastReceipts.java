package dev.abacus.topology.replay;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Scheduler;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.abacus.topology.model.Receipts;
import dev.abacus.topology.runtime.ReceiptLog;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The receipts of earlier calls, of whatever task of the program, as long as their topic has them.
 * A partition is read from its beginning when a replay first asks for it, and forgotten when no
 * replay has used it for {@value #IDLE_SECONDS} s, because it takes memory. Thread-safe.
 */
public final class PastReceipts implements AutoCloseable {

  private static final int IDLE_SECONDS = 30;

  private record Key(String replay, int partition) {}

  /**
   * A partition that is read.
   *
   * @param users lookups, which wait until it is read to its end
   */
  private record Past(ReceiptLog.Snapshot snapshot, AtomicInteger users) {

    Duration kept() {
      return users.get() > 0 ? Duration.ofDays(1) : Duration.ofSeconds(IDLE_SECONDS);
    }

    Past used() {
      users.incrementAndGet();
      return this;
    }
  }

  private final ReceiptLog log;
  private final Cache<Key, Past> partitions;

  /** The receipts of one program. */
  public PastReceipts(ReceiptLog log) {
    this(log, Ticker.systemTicker());
  }

  /** With a clock of a test. */
  PastReceipts(ReceiptLog log, Ticker clock) {
    this.log = log;
    this.partitions =
        Caffeine.newBuilder()
            .expireAfter(Expiry.<Key, Past>accessing((_, past) -> past.kept()))
            .scheduler(Scheduler.systemScheduler())
            .ticker(clock)
            .<Key, Past>removalListener(
                (_, past, _) -> Objects.requireNonNull(past).snapshot().close())
            .build();
  }

  /**
   * The receipts of a task of a replay: its own, then those of the partitions.
   *
   * @param replay id of the replay; another one sees the receipts that were written meanwhile
   * @param partitions of the document and of the task
   */
  Receipts of(String replay, Set<Integer> partitions, Receipts own) {
    return new Receipts() {
      @Override
      public byte @Nullable [] find(String requestHash) throws InterruptedException {
        byte[] found = own.find(requestHash);
        for (int partition : partitions) {
          if (found != null) {
            return found;
          }
          found = past(new Key(replay, partition), requestHash);
          if (found != null) {
            own.giveUp(requestHash); // No call follows.
          }
        }
        return found;
      }

      @Override
      public void record(String requestHash, byte[] receipt) {
        own.record(requestHash, receipt);
      }

      @Override
      public void giveUp(String requestHash) {
        own.giveUp(requestHash);
      }
    };
  }

  private byte @Nullable [] past(Key key, String requestHash) throws InterruptedException {
    // In one step: one that is open and has no user yet may be closed at any time.
    Past past =
        partitions
            .asMap()
            .compute(key, (_, open) -> Objects.requireNonNullElseGet(open, () -> open(key)).used());
    try {
      return past.snapshot().find(requestHash);
    } finally {
      past.users().decrementAndGet();
      var _ = partitions.getIfPresent(key);
    }
  }

  private Past open(Key key) {
    return new Past(log.snapshot(key.partition(), ReceiptLog.BEGINNING), new AtomicInteger());
  }

  @Override
  public void close() {
    partitions.invalidateAll();
  }
}
