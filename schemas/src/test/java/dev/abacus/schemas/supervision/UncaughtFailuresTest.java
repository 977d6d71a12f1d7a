package dev.abacus.schemas.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class UncaughtFailuresTest {

  private final Supervisor supervisor =
      new Supervisor(
          new RestartPolicy(Duration.ofMillis(1), Duration.ofMillis(5), 10, _ -> false),
          Clock.systemUTC());

  @Test
  void aThreadThatNothingSupervisesIsInTheStatusWhenItFails() throws Exception {
    try (UncaughtFailures _ = UncaughtFailures.reportTo(supervisor)) {
      Thread thread =
          Thread.startVirtualThread(() -> {
            throw new IllegalStateException("bug");
          });
      thread.join();
      assertThat(supervisor.troubled())
          .singleElement()
          .satisfies(it -> assertThat(it.describe()).contains("other threads", "bug"));
      assertThat(supervisor.failure()).isNotDone();
    }
  }

  @Test
  void aThreadThatEndsForLackOfMemoryEndsTheProcess() throws Exception {
    try (UncaughtFailures _ = UncaughtFailures.reportTo(supervisor)) {
      Thread.startVirtualThread(() -> {
        throw new OutOfMemoryError("planted");
      });
      assertThat(supervisor.failure().get(20, TimeUnit.SECONDS).describe()).contains("planted");
    }
  }

  @Test
  void theHandlerOfTheApplicationHearsOfTheFailureToo() throws Exception {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    AtomicReference<Throwable> heard = new AtomicReference<>();
    Thread.setDefaultUncaughtExceptionHandler((_, failure) -> heard.set(failure));
    try (UncaughtFailures _ = UncaughtFailures.reportTo(supervisor)) {
      Thread.startVirtualThread(
              () -> {
                throw new IllegalStateException("bug");
              })
          .join();
      assertThat(heard.get()).hasMessage("bug");
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void theHandlerIsRestoredOnClose() {
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    UncaughtFailures.reportTo(supervisor).close();
    assertThat(Thread.getDefaultUncaughtExceptionHandler()).isSameAs(before);
  }
}
