package dev.abacus.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StreamThreadsTest {

  private final AtomicLong now = new AtomicLong();
  private final StreamThreads threads = new StreamThreads(now::get);

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Test
  void aThreadDoesNotWaitForRecordsWhileATaskOfItHasPendingRecords() {
    StreamThreads.Member one = threads.join();
    StreamThreads.Member other = threads.join();
    pass(Duration.ofSeconds(2));
    assertThat(threads.longestPoll()).isPositive();

    one.pending(true, false, false);
    other.pending(false, false, false);
    assertThat(threads.longestPoll()).isZero();
    assertThat(CompletableFuture.supplyAsync(threads::longestPoll).join())
        .as("another thread")
        .isPositive();
  }

  @Test
  void aThreadWithoutTasksWaits() {
    StreamThreads.Member one = threads.join();
    one.pending(true, true, false);
    one.leave();

    assertThat(threads.longestPoll()).isPositive();
  }

  @Test
  void aThreadWaitsLongerAfterALongTimeWithoutRecordsUntilTheNextOne() {
    StreamThreads.Member one = threads.join();
    pass(Duration.ofSeconds(10));
    Duration usual = threads.longestPoll();
    pass(Duration.ofMinutes(1));
    assertThat(threads.longestPoll()).isGreaterThan(usual);

    one.pending(true, false, false);
    pass(Duration.ofSeconds(10));
    assertThat(threads.longestPoll()).isEqualTo(usual);
  }

  @Test
  void theTimeWithoutPendingRecordsIsThatOfTheBusiestThread() {
    StreamThreads.Member one = threads.join();
    CompletableFuture.runAsync(threads::join, task -> new Thread(task, "other").start()).join();
    String own = Thread.currentThread().getName();
    pass(Duration.ofMinutes(1));
    one.pending(true, false, false);
    pass(Duration.ofSeconds(10));

    assertThat(threads.idle(Set.of("other"))).isEqualTo(Duration.ofSeconds(70));
    assertThat(threads.idle(Set.of(own, "other"))).isEqualTo(Duration.ofSeconds(10));
    assertThat(threads.idle(Set.of("without tasks"))).isGreaterThan(Duration.ofDays(1));
  }
}
