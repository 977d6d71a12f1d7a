package dev.abacus.topology.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.topology.model.ExecutionStats;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParallelCallsTest {

  private static List<Integer> numbers(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @Test
  void callsAreInTheTraceOfTheirCaller() throws Exception {
    ContextKey<String> key = ContextKey.named("trace");
    try (Scope _ = Context.root().with(key, "caller").makeCurrent()) {
      List<Boolean> inTrace =
          ParallelCalls.run(List.of(1, 2), 2, _ -> "caller".equals(Context.current().get(key)));
      assertThat(inTrace).containsExactly(true, true);
    }
  }

  @Test
  void resultsHaveTheOrderOfTheInputs() throws InterruptedException {
    CyclicBarrier all = new CyclicBarrier(4);
    List<Integer> squares =
        ParallelCalls.run(
            numbers(4),
            4,
            number -> {
              await(all);
              return number * number;
            });
    assertThat(squares).containsExactly(0, 1, 4, 9);
  }

  @Test
  void theConcurrencyIsBounded() throws Exception {
    Semaphore started = new Semaphore(0);
    CountDownLatch gate = new CountDownLatch(1);
    FutureTask<List<Integer>> run =
        new FutureTask<>(() ->
            ParallelCalls.run(
                numbers(10),
                3,
                number -> {
                  started.release();
                  gate.await();
                  return number;
                }));
    Thread.ofVirtual().start(run);

    assertThat(started.tryAcquire(3, 10, TimeUnit.SECONDS)).isTrue();
    assertThat(started.tryAcquire(200, TimeUnit.MILLISECONDS)).as("a fourth call").isFalse();
    gate.countDown();
    assertThat(run.get(10, TimeUnit.SECONDS)).isEqualTo(numbers(10));
  }

  @Test
  void anExceptionOfACallIsThrown() {
    assertThatThrownBy(() ->
            ParallelCalls.run(
                numbers(5),
                2,
                number -> {
                  throw new IllegalStateException("call " + number);
                }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("call 0");
  }

  @Test
  void anInterruptOfTheCallerEndsAllCalls() throws InterruptedException {
    CountDownLatch started = new CountDownLatch(2);
    AtomicInteger interrupted = new AtomicInteger();
    AtomicBoolean ended = new AtomicBoolean();
    Thread caller =
        Thread.ofVirtual()
            .start(() -> {
              try {
                ParallelCalls.run(
                    numbers(2),
                    2,
                    _ -> {
                      started.countDown();
                      try {
                        new CountDownLatch(1).await();
                        return 0;
                      } catch (InterruptedException e) {
                        interrupted.incrementAndGet();
                        throw e;
                      }
                    });
              } catch (InterruptedException e) {
                ended.set(true);
              }
            });
    assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
    caller.interrupt();
    caller.join();
    assertThat(interrupted).hasValue(2);
    assertThat(ended).isTrue();
  }

  @Test
  void statisticsOfParallelCallsAddCostsAndTakeTheTimeOfTheLastToEnd() {
    List<ExecutionStats> calls =
        List.of(
            new ExecutionStats(0.1, 3, 1),
            new ExecutionStats(0.2, 1, 2),
            new ExecutionStats(0.3, 1, 1));
    ExecutionStats two = ExecutionStats.inParallel(calls, 2);
    assertThat(two.cost()).isCloseTo(0.6, within(1e-9));
    assertThat(two.calls()).isEqualTo(4);
    assertThat(two.latency()).isEqualTo(3);
    assertThat(ExecutionStats.inParallel(calls, 1).latency()).isEqualTo(5);
    assertThat(ExecutionStats.inParallel(calls, 3).latency()).isEqualTo(3);
  }

  private static void await(CyclicBarrier barrier) throws InterruptedException {
    try {
      barrier.await();
    } catch (BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }
}
