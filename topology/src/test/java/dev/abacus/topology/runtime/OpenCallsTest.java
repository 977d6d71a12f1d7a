package dev.abacus.topology.runtime;

import static dev.abacus.topology.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class OpenCallsTest {

  private final OpenCalls calls = new OpenCalls(4);
  private final OpenCalls.OfProgram large = calls.ofProgram();
  private final OpenCalls.OfProgram small = calls.ofProgram();
  private final BlockingQueue<String> started = new LinkedBlockingQueue<>();

  /** Starts a call on a thread of its own, and returns when it waits. */
  private Thread waiting(OpenCalls.OfProgram program, String name) {
    Thread thread =
        Thread.ofPlatform()
            .start(() -> {
              try {
                program.start();
                started.add(name);
              } catch (InterruptedException e) {
                started.add(name + " interrupted");
              }
            });
    until(thread, Thread.State.WAITING);
    return thread;
  }

  @Test
  void theCallsOfOneProgramDoNotWaitBehindManyOfAnother() throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      large.start();
    }
    for (int i = 0; i < 5; i++) {
      waiting(large, "large");
    }
    for (int i = 0; i < 3; i++) {
      waiting(small, "small");
    }
    for (int i = 0; i < 2; i++) {
      large.end();
      assertThat(started.take()).isEqualTo("small");
    }
    large.end();
    assertThat(started.take()).as("fewer than the two of the other").isEqualTo("large");
    for (int i = 0; i < 5; i++) {
      large.end();
      started.take();
    }
  }

  @Test
  void anUnacknowledgedReceiptHoldsCallsBack() throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      calls.receiptOpened();
    }
    Thread caller = waiting(small, "small");
    assertThat(started).isEmpty();
    calls.receiptClosed();
    caller.join();
    assertThat(started).containsExactly("small");
  }

  @Test
  void anInterruptedCallTakesNoPlace() throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      large.start();
    }
    Thread interrupted = waiting(small, "first");
    Thread next = waiting(small, "second");
    interrupted.interrupt();
    interrupted.join();
    large.end();
    next.join();
    assertThat(started).containsExactly("first interrupted", "second");
    Thread.currentThread().interrupt();
    assertThatThrownBy(large::start).isInstanceOf(InterruptedException.class);
  }

  @Test
  void theBoundHoldsForManyCallsAtOnceAndAllOfThemRun() throws Exception {
    AtomicInteger open = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Future<?>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 2_000; i++) {
        OpenCalls.OfProgram program = i % 3 == 0 ? small : large;
        all.add(
            threads.submit(() -> {
              program.start();
              most.accumulateAndGet(open.incrementAndGet(), Math::max);
              LockSupport.parkNanos(1_000);
              open.decrementAndGet();
              program.end();
              return null;
            }));
      }
    }
    for (Future<?> call : all) {
      call.get();
    }
    assertThat(most.get()).isBetween(2, 4);
  }

  @Test
  void theBoundOfAProcessIsAQuarterAboveItsDocumentsInFlight() throws Exception {
    assertThat(startable(OpenCalls.of(200), 1_000)).isEqualTo(250);
    assertThat(startable(OpenCalls.of(10), 1_000)).isEqualTo(26);
  }

  @Test
  void aProcessThatHasJustStartedPaysForFewAnswersAtOnceAndForOneMoreWithEachReceipt()
      throws Exception {
    assertThat(startable(OpenCalls.of(200), 0)).isEqualTo(8);
    assertThat(startable(OpenCalls.of(200), 8)).isEqualTo(16);
  }

  @Test
  void callsThatHangInAProcessThatHasJustStartedDoNotHoldAnotherProgramBack() throws Exception {
    OpenCalls cold = OpenCalls.of(200);
    assertThat(startable(cold, 0)).as("of a program whose model hangs").isEqualTo(8);
    assertThat(startable(cold, 0)).isEqualTo(2);
  }

  /** The number of calls that start at once after so many receipts. */
  private static int startable(OpenCalls calls, int receipts) throws Exception {
    for (int i = 0; i < receipts; i++) {
      calls.receiptOpened();
      calls.receiptClosed();
    }
    OpenCalls.OfProgram program = calls.ofProgram();
    AtomicInteger started = new AtomicInteger();
    Thread caller =
        Thread.ofPlatform()
            .start(() -> {
              try {
                while (true) {
                  program.start();
                  started.incrementAndGet();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    until(caller, Thread.State.WAITING);
    caller.interrupt();
    caller.join();
    return started.get();
  }
}
