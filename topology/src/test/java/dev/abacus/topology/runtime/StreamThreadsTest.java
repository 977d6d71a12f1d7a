package dev.abacus.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StreamThreadsTest {

  private final StreamThreads threads = new StreamThreads();

  @Test
  void aThreadIsBusyWhileATaskOfItHasPendingRecords() {
    StreamThreads.Member one = threads.join();
    StreamThreads.Member other = threads.join();
    assertThat(threads.isBusy()).isFalse();

    one.pending(true, false, false);
    other.pending(false, false, false);
    assertThat(threads.isBusy()).isTrue();
    assertThat(CompletableFuture.supplyAsync(threads::isBusy).join())
        .as("another thread")
        .isFalse();
  }

  @Test
  void aThreadWithoutTasksIsIdle() {
    StreamThreads.Member one = threads.join();
    one.pending(true, true, false);
    one.leave();

    assertThat(threads.isBusy()).isFalse();
  }
}
