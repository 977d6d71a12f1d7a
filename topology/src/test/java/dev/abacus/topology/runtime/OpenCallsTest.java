package dev.abacus.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
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
    while (thread.getState() != Thread.State.WAITING) {
      assertThat(thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
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
}
