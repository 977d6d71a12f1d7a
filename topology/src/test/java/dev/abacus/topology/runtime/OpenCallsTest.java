package dev.abacus.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls and receipts that Kafka has not acknowledged are bounded together. */
@Timeout(30)
class OpenCallsTest {

  private static final int BOUND = 7;

  private final OpenCalls calls = new OpenCalls(BOUND);
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();

  private void start() throws InterruptedException {
    calls.start();
    most.accumulateAndGet(open.incrementAndGet(), Math::max);
  }

  private void end() {
    open.decrementAndGet();
    calls.end();
  }

  @Test
  void theBoundHoldsForManyCallsAtOnceAndAllOfThemRun() throws Exception {
    List<Future<?>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 2_000; i++) {
        all.add(
            threads.submit(() -> {
              start();
              LockSupport.parkNanos(1_000);
              end();
              return null;
            }));
      }
    }
    for (Future<?> call : all) {
      call.get();
    }
    assertThat(most.get()).isBetween(2, BOUND);
  }

  @Test
  void aCallWaitsWhileReceiptsAreNotAcknowledged() throws Exception {
    for (int i = 0; i < BOUND + 2; i++) {
      calls.receiptOpened();
    }
    CountDownLatch started = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> call =
          threads.submit(() -> {
            start();
            started.countDown();
            return null;
          });
      calls.receiptClosed();
      calls.receiptClosed();
      assertThat(started.getCount()).as("the bound is still reached").isOne();
      calls.receiptClosed();
      started.await();
      call.get();
    }
  }

  @Test
  void anInterruptedWaitTakesNoPlace() throws Exception {
    for (int i = 0; i < BOUND; i++) {
      start();
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> interrupted =
          threads.submit(() -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(this::start).isInstanceOf(InterruptedException.class);
          });
      interrupted.get();
    }
    end();
    start();
    assertThat(open).hasValue(BOUND);
  }

  @Test
  void theBoundOfAProcessIsAQuarterAboveItsDocumentsInFlight() throws Exception {
    assertThat(startable(OpenCalls.of(200))).isEqualTo(250);
    assertThat(startable(OpenCalls.of(10))).isEqualTo(26);
  }

  /** The number of calls that start at once. */
  private static int startable(OpenCalls calls) throws Exception {
    AtomicInteger started = new AtomicInteger();
    Thread caller =
        Thread.ofPlatform()
            .start(() -> {
              try {
                while (true) {
                  calls.start();
                  started.incrementAndGet();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    while (caller.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    caller.interrupt();
    caller.join();
    return started.get();
  }
}
