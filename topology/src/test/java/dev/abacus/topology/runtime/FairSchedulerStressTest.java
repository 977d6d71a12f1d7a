package dev.abacus.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several stream threads submit work to one scheduler, whose jobs run on virtual threads. */
class FairSchedulerStressTest {

  private static final int LIMIT = 7;
  private static final int TASKS = 4;
  private static final int JOBS_PER_TASK = 500;

  private final FairScheduler scheduler = FairScheduler.inVirtualThreads(LIMIT);
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger mostRunning = new AtomicInteger();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void eachJobRunsOnceAndNeverMoreThanTheLimit(long seed) throws Exception {
    List<Counted> jobs = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(TASKS * JOBS_PER_TASK);
    try (ExecutorService streamThreads = Executors.newFixedThreadPool(TASKS)) {
      List<Future<?>> submitters = new ArrayList<>();
      for (int task = 0; task < TASKS; task++) {
        List<Counted> own = new ArrayList<>();
        for (int i = 0; i < JOBS_PER_TASK; i++) {
          own.add(new Counted(i, i % 3, done));
        }
        jobs.addAll(own);
        Random random = new Random(seed * TASKS + task);
        submitters.add(streamThreads.submit(() -> submit(own, random)));
      }
      for (Future<?> submitter : submitters) {
        submitter.get(60, TimeUnit.SECONDS);
      }
      assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(jobs).allSatisfy(job -> assertThat(job.runs).hasValue(1));
    assertThat(mostRunning.get()).isBetween(1, LIMIT);
  }

  /** Epochs become ready and unready at random; all are ready in the end. */
  private void submit(List<Counted> jobs, Random random) {
    FairScheduler.TaskQueue queue = scheduler.newQueue("program");
    for (Counted job : jobs) {
      queue.add(job);
      long unready = random.nextInt(4);
      queue.dispatch(epoch -> epoch != unready);
    }
    queue.dispatch(_ -> true);
  }

  private final class Counted implements FairScheduler.Job {
    private final long sequence;
    private final long epoch;
    private final CountDownLatch done;
    private final AtomicInteger runs = new AtomicInteger();

    private Counted(long sequence, long epoch, CountDownLatch done) {
      this.sequence = sequence;
      this.epoch = epoch;
      this.done = done;
    }

    @Override
    public long epoch() {
      return epoch;
    }

    @Override
    public long sequence() {
      return sequence;
    }

    @Override
    public void cancel() {}

    @Override
    public void run() {
      mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
      LockSupport.parkNanos(1_000);
      running.decrementAndGet();
      runs.incrementAndGet();
      done.countDown();
    }
  }
}
