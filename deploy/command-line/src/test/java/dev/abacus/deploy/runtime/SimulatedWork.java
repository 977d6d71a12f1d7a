package dev.abacus.deploy.runtime;

import dev.abacus.topology.runtime.Arrival;
import dev.abacus.topology.runtime.Completion;
import dev.abacus.topology.runtime.Job;
import dev.abacus.topology.runtime.JobContext;
import dev.abacus.topology.runtime.Output;
import dev.abacus.topology.runtime.Work;
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
  public long stamp(Arrival arrival) {
    return 1;
  }

  @Override
  public boolean ready(long stamp) {
    return true;
  }

  @Override
  public Completion run(Job job, JobContext context) throws InterruptedException {
    Arrival arrival = job.arrival();
    String request = arrival.topic() + "-" + arrival.partition() + "@" + arrival.offset();
    byte[] answer = context.receipts().find(request);
    if (answer == null) {
      calls.incrementAndGet();
      // Nobody counts it down: a wait that can be interrupted.
      boolean never = new CountDownLatch(1).await(latency.toNanos(), TimeUnit.NANOSECONDS);
      answer = never ? new byte[0] : new byte[] {1};
      context.receipts().record(request, answer);
    } else {
      saved.incrementAndGet();
    }
    return result(arrival, arrival.value());
  }

  private static Completion result(Arrival arrival, byte @Nullable [] value) {
    return new Completion(
        List.of(new Output(RESULTS, arrival.key(), value, arrival.headers(), arrival.timestamp())));
  }

  @Override
  public Completion failed(Job job, Throwable cause) {
    return result(job.arrival(), null);
  }

  @Override
  public Completion rejected(Arrival arrival, String reason) {
    return result(arrival, null);
  }
}
