package dev.abacus.topology.answer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.WaitListener;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Identical requests at the same time. */
@Timeout(30)
class AnswersInFlightTest extends AnswerStoreFixture {

  @Test
  void identicalRequestsInFlightAreOneCall() throws Exception {
    Blocking slow = new Blocking();
    Waits listener = new Waits(19);
    List<Future<ModelAnswer>> answers = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 20; i++) {
        ModelClient client = store.around(slow, "program " + i % 2, () -> true);
        answers.add(
            threads.submit(() ->
                ScopedValue.where(WaitListener.CURRENT, listener)
                    .call(() -> client.call(request("one")))));
      }
      listener.begun.await();
      slow.released.countDown();
    }
    assertThat(slow.calls).hasValue(1);
    assertThat(listener.waiting).as("all documents took their places again").hasValue(0);
    double paid = 0;
    for (Future<ModelAnswer> answer : answers) {
      paid += success(answer.get()).cost();
    }
    assertThat(paid).isEqualTo(0.01);
  }

  @Test
  void aRequestDoesNotWaitForAProgramThatCannotPay() throws Exception {
    Blocking poor = new Blocking();
    AtomicBoolean affordable = new AtomicBoolean(true);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<ModelAnswer> waits =
          threads.submit(() -> store.around(poor, "a", affordable::get).call(request("one")));
      poor.started.await();
      affordable.set(false);
      ModelAnswer own = program("b").call(request("one"));
      assertThat(success(own).cost()).isPositive();
      poor.released.countDown();
      assertThat(success(waits.get()).text()).isEqualTo("slow");
    }
  }

  @Test
  void ifTheCallInFlightFailsOrIsInterruptedTheOthersCall() throws Exception {
    assertThat(afterTheFirst(call -> call.failing = true)).isEqualTo(3);
    assertThat(afterTheFirst(call -> call.first.interrupt())).isLessThanOrEqualTo(2);
  }

  /** Ends the first of three identical requests; returns the calls of the others that succeed. */
  private int afterTheFirst(Consumer<Blocking> end) throws Exception {
    Blocking slow = new Blocking();
    String text = "documents so far: " + store.size();
    Waits listener = new Waits(2);
    Callable<ModelAnswer> call =
        () ->
            ScopedValue.where(WaitListener.CURRENT, listener)
                .call(() -> store.around(slow, "a", () -> true).call(request(text)));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.execute(new FutureTask<>(call));
      slow.started.await();
      List<Future<ModelAnswer>> others = List.of(threads.submit(call), threads.submit(call));
      listener.begun.await();
      end.accept(slow);
      slow.released.countDown();
      for (Future<ModelAnswer> other : others) {
        assertThat(success(other.get()).text()).isEqualTo("slow");
      }
    }
    return slow.calls.get();
  }

  /** Counts the documents that wait. */
  private static final class Waits implements WaitListener {
    final CountDownLatch begun;
    final AtomicInteger waiting = new AtomicInteger();

    Waits(int documents) {
      begun = new CountDownLatch(documents);
    }

    @Override
    public void waiting() {
      waiting.incrementAndGet();
      begun.countDown();
    }

    @Override
    public void resumed() {
      waiting.decrementAndGet();
    }
  }
}
