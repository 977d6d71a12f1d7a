package dev.abacus.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StreamThreadsTest {

  private final StreamThreads threads = new StreamThreads();

  @Test
  void aThreadIsBusyWhileATaskOfItHasPendingRecords() {
    StreamThreads.Member one = threads.join("p");
    StreamThreads.Member other = threads.join("p");
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
    StreamThreads.Member one = threads.join("p");
    one.pending(true, true, false);
    one.leave();

    assertThat(threads.isBusy()).isFalse();
  }

  @Test
  void aCallWaitsUntilTheMembershipIsConfirmedOrTheTaskIsClosed() throws Exception {
    StreamThreads.Member member = threads.join("p");
    threads.awaitOwnership("p");
    threads.confirmed(membership(false));
    threads.awaitOwnership("other");
    CompletableFuture<?> first = call();
    assertThat(first).isNotDone();

    threads.confirmed(membership(true));
    first.get(10, TimeUnit.SECONDS);

    threads.confirmed(membership(false));
    CompletableFuture<?> second = call();
    member.leave();
    second.get(10, TimeUnit.SECONDS);
  }

  private CompletableFuture<?> call() {
    return CompletableFuture.runAsync(() -> {
      try {
        threads.awaitOwnership("p");
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  private static Membership membership(boolean member) {
    return new Membership(member, System.nanoTime(), TimeUnit.MINUTES.toNanos(1));
  }
}
