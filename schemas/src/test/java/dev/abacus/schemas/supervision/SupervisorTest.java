package dev.abacus.schemas.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.supervision.ThreadStatus.State;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SupervisorTest {

  private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final Supervisor supervisor =
      new Supervisor(
          new RestartPolicy(
              Duration.ofMillis(1),
              Duration.ofMillis(4),
              3,
              IllegalStateException.class::isInstance),
          () -> now);

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void aStepThatFailsIsRepeatedAndCounted() throws Exception {
    CountDownLatch works = new CountDownLatch(1);
    AtomicInteger steps = new AtomicInteger();
    AtomicBoolean released = new AtomicBoolean();

    try (var _ =
        supervisor.start(
            "reader",
            _ -> {
              int step = steps.incrementAndGet();
              if (step == 1) {
                throw new StackOverflowError();
              }
              if (step == 2) {
                throw new IOException("no route");
              }
              if (step == 4) {
                works.countDown();
              }
              return Duration.ofMillis(1);
            },
            new Supervisor.Resource(() -> {}, () -> released.set(true)))) {
      await(works);

      assertThat(supervisor.threads())
          .singleElement()
          .satisfies(thread -> {
            assertThat(thread.state()).isEqualTo(State.RUNNING);
            assertThat(thread.failures()).isEqualTo(2);
            assertThat(thread.cause()).isNull();
          });
    }
    assertThat(released).isTrue();
    assertThat(supervisor.failure()).isNotDone();
  }

  @Test
  void aThreadThatFailsTooOftenInSuccessionEndsTheProcess() throws Exception {
    try (var _ =
        supervisor.start(
            "reader",
            _ -> {
              throw new ArithmeticException("always");
            },
            Supervisor.Resource.NONE)) {
      ThreadStatus failed = supervisor.failure().get(30, TimeUnit.SECONDS);

      assertThat(failed.state()).isEqualTo(State.FAILED);
      assertThat(failed.failures()).isEqualTo(3);
      assertThat(failed.describe()).contains("'reader'").contains("always");
      assertThat(supervisor.troubled()).containsExactly(failed);
    }
  }

  @Test
  void aJvmWithoutMemoryEndsAtOnce() throws Exception {
    try (var _ =
        supervisor.start(
            "reader",
            _ -> {
              throw new OutOfMemoryError("heap");
            },
            Supervisor.Resource.NONE)) {
      assertThat(supervisor.failure().get(30, TimeUnit.SECONDS).failures()).isEqualTo(1);
    }
  }

  @Test
  void aClockThatIsSetBackEndsTheProcess() throws Exception {
    CountDownLatch inStep = new CountDownLatch(1);
    try (var _ =
        supervisor.startAuxiliary(
            "reader",
            _ -> {
              inStep.countDown();
              return Duration.ofMillis(1);
            })) {
      await(inStep);
      now = now.minusSeconds(600);

      assertThat(supervisor.failure().get(30, TimeUnit.SECONDS).describe())
          .contains("the clock was set back by 600 s");
    }
  }

  @Test
  void anOutageIsWaitedForWithoutALimit() throws Exception {
    CountDownLatch many = new CountDownLatch(20);

    try (var _ =
        supervisor.start(
            "reader",
            _ -> {
              many.countDown();
              throw new IllegalStateException("broker away");
            },
            Supervisor.Resource.NONE)) {
      await(many);

      assertThat(supervisor.failure()).isNotDone();
      assertThat(supervisor.troubled())
          .singleElement()
          .satisfies(thread -> {
            assertThat(thread.state()).isEqualTo(State.RESTARTING);
            assertThat(thread.describe()).contains("broker away");
          });
    }
    assertThat(supervisor.threads()).isEmpty();
  }

  @Test
  void pausesGrowUntilAStepSucceeds() {
    ThreadHealth health = supervisor.watch("program");
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Duration pause = health.failed(new RuntimeException("down"));
      pauses.add(pause == null ? -1 : pause.toMillis());
    }
    health.succeeded();
    Duration first = health.failed(new RuntimeException("down"));

    assertThat(pauses).containsExactly(1L, 2L, 4L, 4L, 4L);
    assertThat(first).isEqualTo(Duration.ofMillis(1));
  }

  @Test
  void aThreadThatFailsAgainAndAgainBetweenStepsThatSucceedIsTroubled() {
    ThreadHealth health = supervisor.watch("program");
    for (int i = 0; i < 3; i++) {
      assertThat(supervisor.troubled()).isEmpty();
      health.failed(new RuntimeException("too large"));
      health.succeeded();
      now = now.plusSeconds(5);
    }

    assertThat(supervisor.troubled())
        .singleElement()
        .satisfies(thread -> {
          assertThat(thread.state()).isEqualTo(State.RESTARTING);
          assertThat(thread.describe()).contains("3 failures", "too large");
        });

    now = now.plus(ThreadHealth.RELAPSE);
    assertThat(supervisor.troubled()).isEmpty();
  }

  @Test
  void watchedWorkThatCannotContinueIsReported() {
    ThreadHealth health = supervisor.watch("streams");

    assertThat(health.failed(new NoClassDefFoundError("Rule"))).isNull();
    assertThat(supervisor.failure().join().describe()).contains("streams", "Rule");
  }

  @Test
  void aStepThatDoesNotEndIsStalled() throws Exception {
    CountDownLatch inStep = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (var _ =
        supervisor.start(
            "reader",
            _ -> {
              inStep.countDown();
              await(end);
              return Duration.ofSeconds(60);
            },
            Supervisor.Resource.NONE)) {
      await(inStep);
      assertThat(supervisor.troubled()).isEmpty();

      now = now.plus(ThreadHealth.STALLED_AFTER).plusSeconds(1);

      assertThat(supervisor.troubled())
          .singleElement()
          .extracting(ThreadStatus::state)
          .isEqualTo(State.STALLED);
      end.countDown();
    }
  }

  @Test
  void skippedRecordsAreCountedAndDoNotStopTheThread() {
    ThreadHealth health = supervisor.watch("reader");

    health.skipped("topic-0@7", new IllegalArgumentException("bad"));

    assertThat(health.status().skipped()).isEqualTo(1);
    assertThat(health.status().works()).isTrue();
  }

  @Test
  void aThreadOfOneOwnerIsNoTroubleOfOthers() {
    Supervisor mine = supervisor.of("mine");
    mine.watch("work").failed(new IllegalStateException("broken"));
    assertThat(mine.troubled()).extracting(ThreadStatus::thread).containsExactly("work");
    assertThat(supervisor.of("other").troubled()).isEmpty();
    assertThat(supervisor.troubled()).isEmpty();
    assertThat(supervisor.threads()).isEqualTo(mine.threads()).hasSize(1);
    assertThat(supervisor.of("other").threads()).isEmpty();

    supervisor.watch("shared").failed(new IllegalStateException("broken too"));
    assertThat(supervisor.of("other").troubled())
        .extracting(ThreadStatus::thread)
        .containsExactly("shared");
  }

  @Test
  void threadsThatWaitForKafkaAreInterruptedTogetherWhenTheyAreClosed() throws Exception {
    CountDownLatch waiting = new CountDownLatch(2);
    List<String> released = Collections.synchronizedList(new ArrayList<>());
    List<Supervisor.SupervisedThread> threads =
        Stream.of("status", "leases")
            .map(name ->
                supervisor.start(
                    name,
                    _ -> {
                      waiting.countDown();
                      new CountDownLatch(1).await(); // a producer that has no metadata
                      return Duration.ZERO;
                    },
                    new Supervisor.Resource(() -> {}, () -> released.add(name))))
            .toList();
    await(waiting);
    long began = System.nanoTime();

    new SideBySide(threads).close();

    assertThat(released).containsExactlyInAnyOrder("status", "leases");
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(9));
  }
}
