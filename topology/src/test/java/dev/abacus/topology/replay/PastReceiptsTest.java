package dev.abacus.topology.replay;

import static dev.abacus.topology.Await.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.topology.model.Receipts;
import dev.abacus.topology.runtime.ReceiptLog;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PastReceiptsTest {

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger opened = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final CountDownLatch read = new CountDownLatch(1);

  /** Partition 0 takes long to read; closed, a snapshot finds nothing. */
  private final ReceiptLog log =
      new ReceiptLog() {
        @Override
        public Snapshot snapshot(int partition, long from) {
          opened.incrementAndGet();
          CountDownLatch ended = new CountDownLatch(1);
          return new Snapshot() {
            @Override
            public byte @Nullable [] find(String requestHash) throws InterruptedException {
              while (partition == 0 && read.getCount() > 0 && ended.getCount() > 0) {
                boolean _ = read.await(1, TimeUnit.MILLISECONDS);
              }
              return ended.getCount() == 0 ? null : requestHash.getBytes(UTF_8);
            }

            @Override
            public void close() {
              ended.countDown();
              closed.incrementAndGet();
            }
          };
        }
      };

  private final PastReceipts receipts = new PastReceipts(log, nanos::get);

  private byte @Nullable [] find(int partition) throws InterruptedException {
    return receipts.of("replay", Set.of(partition), new Receipts() {}).find("hash");
  }

  @Test
  void aPartitionIsForgottenWhenNoReplayHasUsedItForLong() throws Exception {
    assertThat(find(1)).isNotNull();
    nanos.addAndGet(Duration.ofSeconds(31).toNanos());
    assertThat(find(2)).isNotNull();
    until(() -> closed.get() == 1);
    assertThat(find(1)).isNotNull();
    assertThat(opened).hasValue(3);
  }

  @Test
  void aPartitionIsKeptWhileSomebodyWaitsUntilItIsRead() throws Exception {
    CompletableFuture<byte @Nullable []> waiting = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        waiting.complete(find(0));
      } catch (InterruptedException e) {
        waiting.completeExceptionally(e);
      }
    });
    until(() -> opened.get() == 1);
    for (int i = 1; i < 9; i++) {
      nanos.addAndGet(Duration.ofSeconds(31).toNanos());
      assertThat(find(i)).isNotNull();
    }
    until(() -> closed.get() >= 7);
    read.countDown();
    assertThat(waiting.get()).isNotNull();
  }
}
