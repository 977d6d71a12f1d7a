package dev.abacus.deploy.runtime;

import dev.abacus.topology.runtime.Completion;
import dev.abacus.topology.runtime.InputRecord;
import dev.abacus.topology.runtime.OutputRecord;
import dev.abacus.topology.runtime.PendingRecord;
import dev.abacus.topology.runtime.Work;
import dev.abacus.topology.runtime.WorkContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Work that takes a while and costs one call, unless a receipt shows that it was paid for. */
final class SimulatedWork implements Work {

  /** Name of the sink for results. */
  static final String RESULTS = "results";

  private final Duration latency;
  private final AtomicInteger calls;
  private final AtomicInteger saved = new AtomicInteger();

  SimulatedWork(Duration latency, AtomicInteger calls) {
    this.latency = latency;
    this.calls = calls;
  }

  /** How many calls receipts have saved. */
  int saved() {
    return saved.get();
  }

  @Override
  public long epoch(InputRecord arrival) {
    return 1;
  }

  @Override
  public boolean ready(long stamp) {
    return true;
  }

  @Override
  public Completion run(PendingRecord job, WorkContext context) throws InterruptedException {
    InputRecord arrival = job.input();
    String request = arrival.topic() + "-" + arrival.partition() + "@" + arrival.offset();
    byte[] answer = context.find(request);
    if (answer == null) {
      calls.incrementAndGet();
      // Nobody counts it down: a wait that can be interrupted.
      boolean never = new CountDownLatch(1).await(latency.toNanos(), TimeUnit.NANOSECONDS);
      answer = never ? new byte[0] : new byte[] {1};
      context.record(request, answer);
    } else {
      saved.incrementAndGet();
    }
    return result(arrival, arrival.value());
  }

  private static Completion result(InputRecord arrival, byte @Nullable [] value) {
    return new Completion(
        List.of(
            new OutputRecord(
                RESULTS, arrival.key(), value, arrival.headers(), arrival.timestamp())));
  }

  @Override
  public Completion failed(PendingRecord job, Throwable cause) {
    return result(job.input(), null);
  }

  @Override
  public Completion rejected(InputRecord arrival, String reason) {
    return result(arrival, null);
  }
}
