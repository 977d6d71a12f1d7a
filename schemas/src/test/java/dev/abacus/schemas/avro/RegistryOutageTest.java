package dev.abacus.schemas.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.SerializationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RegistryOutageTest {

  private final RegistryOutage outage =
      new RegistryOutage(InstantSource.fixed(Instant.EPOCH), Duration.ofSeconds(30));
  private final AtomicBoolean broken = new AtomicBoolean(true);
  private final AtomicInteger attempts = new AtomicInteger();

  private String call() {
    attempts.incrementAndGet();
    if (broken.get()) {
      throw new SerializationException("x", new RegistryException.Unavailable("gone", null));
    }
    return "ok";
  }

  @Test
  void allCallsWaitAndOneOfThemTriesAgain() throws Exception {
    List<Future<String>> calls = new ArrayList<>();
    AtomicInteger resumed = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 50; i++) {
        calls.add(
            threads.submit(() -> outage.call(this::call, () -> {}, resumed::incrementAndGet)));
      }
      while (attempts.get() < 52) {
        Thread.sleep(5);
      }
      assertThat(attempts).hasValueLessThan(60);
      assertThat(outage.state()).isEqualTo(new RegistryOutage.State(50, "x", Instant.EPOCH));
      broken.set(false);
      for (Future<String> call : calls) {
        assertThat(call.get()).isEqualTo("ok");
      }
    }
    assertThat(resumed).hasValue(50);
    assertThat(outage.state()).isNull();
  }

  @Test
  void anotherFailureIsThrown() {
    assertThatThrownBy(() ->
            outage.call(
                () -> {
                  throw new SerializationException("malformed");
                },
                () -> {},
                () -> {}))
        .hasMessage("malformed");
    assertThat(outage.state()).isNull();
  }

  /** A registry may refuse one subject for ever, and be away for a moment for all. */
  @Test
  void aCallThatSucceedsDoesNotWaitForOneThatNeverDoes() throws Exception {
    RegistryOutage shared =
        new RegistryOutage(InstantSource.fixed(Instant.EPOCH), Duration.ofMillis(50));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<String> forbidden = threads.submit(() -> shared.call(this::call, () -> {}, () -> {}));
      while (attempts.get() < 2) {
        Thread.sleep(5);
      }
      AtomicInteger tries = new AtomicInteger();
      Future<String> other =
          threads.submit(() ->
              shared.call(
                  () -> {
                    if (tries.incrementAndGet() == 1) {
                      throw new RegistryException.Unavailable("gone", null);
                    }
                    return "served";
                  },
                  () -> {},
                  () -> {}));
      assertThat(other.get(10, TimeUnit.SECONDS)).isEqualTo("served");
      assertThat(forbidden).isNotDone();
      forbidden.cancel(true);
    }
  }
}
