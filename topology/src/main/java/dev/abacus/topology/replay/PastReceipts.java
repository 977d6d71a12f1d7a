package dev.abacus.topology.replay;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Scheduler;
import dev.abacus.topology.model.Receipts;
import dev.abacus.topology.runtime.ReceiptLog;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The receipts of earlier calls, of whatever task of the program, as long as their topic has them.
 * A partition is read from its beginning when a replay first asks for it, and forgotten when no
 * replay has used it for {@value #IDLE_SECONDS} s, because it takes memory. Thread-safe.
 */
public final class PastReceipts implements AutoCloseable {

  private static final int IDLE_SECONDS = 30;

  private record Key(String replay, int partition) {}

  private final ReceiptLog log;
  private final Cache<Key, ReceiptLog.Snapshot> snapshots =
      Caffeine.newBuilder()
          .expireAfterAccess(IDLE_SECONDS, TimeUnit.SECONDS)
          .scheduler(Scheduler.systemScheduler())
          .<Key, ReceiptLog.Snapshot>removalListener(
              (_, snapshot, _) -> Objects.requireNonNull(snapshot).close())
          .build();

  /** The receipts of one program. */
  public PastReceipts(ReceiptLog log) {
    this.log = log;
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
          found = snapshot(new Key(replay, partition)).find(requestHash);
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

  private ReceiptLog.Snapshot snapshot(Key key) {
    return Objects.requireNonNull(
        snapshots.get(key, one -> log.snapshot(one.partition(), ReceiptLog.BEGINNING)));
  }

  @Override
  public void close() {
    snapshots.invalidateAll();
  }
}
