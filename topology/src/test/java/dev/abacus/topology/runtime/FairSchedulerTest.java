package dev.abacus.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FairSchedulerTest {

  private final ManualExecutor executor = new ManualExecutor();
  private final FairScheduler scheduler = new FairScheduler(10, executor);
  private final List<String> done = new ArrayList<>();

  private FairScheduler.Job job(String name, long sequence, long epoch) {
    return job(name, sequence, epoch, null);
  }

  private FairScheduler.Job job(String name, long sequence, long epoch, @Nullable Bytes key) {
    return new FairScheduler.Job() {
      @Override
      public long epoch() {
        return epoch;
      }

      @Override
      public long sequence() {
        return sequence;
      }

      @Override
      public @Nullable Bytes key() {
        return key;
      }

      @Override
      public void run() {
        done.add(name);
      }

      @Override
      public void cancel() {
        done.add(name + " cancelled");
      }
    };
  }

  private void queue(FairScheduler.TaskQueue queue, String name, int jobs) {
    for (int i = 0; i < jobs; i++) {
      queue.add(job(name, i, 1));
    }
  }

  private static void pump(FairScheduler.TaskQueue queue) {
    queue.dispatch(epoch -> true);
  }

  @Test
  void aTaskUsesWhatOthersLeaveIdle() {
    FairScheduler.TaskQueue alone = scheduler.newQueue("program");
    scheduler.newQueue("program");
    queue(alone, "a", 15);
    pump(alone);
    assertThat(scheduler.running()).isEqualTo(10);
    assertThat(executor.started()).isEqualTo(10);
  }

  @Test
  void freedPermitsGoToTheTaskWithLeastUntilSharesAreFair() {
    FairScheduler.TaskQueue a = scheduler.newQueue("program");
    FairScheduler.TaskQueue b = scheduler.newQueue("program");
    queue(a, "a", 100);
    pump(a);
    queue(b, "b", 100);
    pump(b);
    for (int i = 0; i < 5; i++) {
      executor.run(0); // five of a end, and all five permits go to b
    }
    for (int i = 0; i < 10; i++) {
      executor.run(0);
    }
    assertThat(done.subList(5, 15))
        .containsExactly("a", "a", "a", "a", "a", "b", "b", "b", "b", "b");
    for (int i = 0; i < 10; i++) {
      executor.run(0);
    }
    assertThat(done.subList(15, 25)).filteredOn("a"::equals).hasSize(5);
    assertThat(done.subList(15, 25)).filteredOn("b"::equals).hasSize(5);
  }

  @Test
  void thePermitIsBackWhenTheJobEndsHoweverItEnds() {
    FairScheduler.TaskQueue queue = scheduler.newQueue("program");
    queue.add(
        new FairScheduler.Job() {
          @Override
          public long epoch() {
            return 1;
          }

          @Override
          public long sequence() {
            return 0;
          }

          @Override
          public void run() {
            throw new OutOfMemoryError("simulated");
          }

          @Override
          public void cancel() {}
        });
    pump(queue);
    assertThatThrownBy(() -> executor.run(0)).isInstanceOf(OutOfMemoryError.class);
    assertThat(scheduler.running()).isZero();
  }

  @Test
  void theEndOfAJobStartsTheNextWithoutTheStreamThread() {
    FairScheduler one = new FairScheduler(1, executor);
    FairScheduler.TaskQueue queue = one.newQueue("program");
    queue(queue, "a", 3);
    pump(queue);
    executor.runAll();
    assertThat(done).hasSize(3);
  }

  @Test
  void amongReadyStampsTheOldestJobStartsFirst() {
    FairScheduler one = new FairScheduler(1, executor);
    FairScheduler.TaskQueue queue = one.newQueue("program");
    queue.add(job("first", 1, 7));
    queue.add(job("second", 2, 8));
    queue.add(job("third", 3, 7));
    queue.add(job("other", 0, 9));
    queue.dispatch(epoch -> epoch != 9);
    executor.runAll();
    assertThat(done).containsExactly("first", "second", "third");
  }

  @Test
  void aJobForWhichNoThreadCouldBeHadIsStartedLater() {
    AtomicBoolean refusing = new AtomicBoolean(true);
    FairScheduler refused =
        new FairScheduler(
            10,
            task -> {
              if (refusing.get()) {
                throw new RejectedExecutionException("no threads");
              }
              executor.execute(task);
            });
    FairScheduler.TaskQueue queue = refused.newQueue("program");
    queue(queue, "a", 2);
    pump(queue);
    assertThat(refused.running()).isZero();

    refusing.set(false);
    pump(queue);
    executor.runAll();
    assertThat(done).hasSize(2);
  }

  @Test
  void jobsThatWaitGiveTheirPermitsToOthersAndTakeThemBack() {
    FairScheduler one = new FairScheduler(1, executor);
    List<FairScheduler.Permit> permits = new ArrayList<>();
    FairScheduler.TaskQueue queue = one.newQueue("program");
    for (int i = 0; i < 3; i++) {
      FairScheduler.Job next = job("a", i, 1);
      queue.add(
          new FairScheduler.Job() {
            @Override
            public long epoch() {
              return next.epoch();
            }

            @Override
            public long sequence() {
              return next.sequence();
            }

            @Override
            public void permit(FairScheduler.Permit permit) {
              permits.add(permit);
              permit.suspend();
              permit.suspend();
            }

            @Override
            public void run() {
              permits.getFirst().resume();
              assertThat(one.running()).as("the permit of the second").isEqualTo(1);
              permits.getFirst().resume();
              assertThat(one.running()).as("above the limit, without blocking").isEqualTo(2);
              next.run();
            }

            @Override
            public void cancel() {}
          });
    }
    pump(queue);
    executor.run(0);
    assertThat(executor.started()).as("the wait of the first started the second").isEqualTo(1);
    assertThat(one.running()).as("the permit of the second").isEqualTo(1);
    assertThat(done).containsExactly("a");
  }

  @Test
  void aProgramOfManyTasksHasTheShareOfOneTask() {
    FairScheduler.TaskQueue small = scheduler.newQueue("small");
    for (int i = 0; i < 12; i++) {
      FairScheduler.TaskQueue large = scheduler.newQueue("large");
      queue(large, "large " + i, 10);
      pump(large);
    }
    queue(small, "small", 60);
    pump(small);
    for (int i = 0; i < 100; i++) {
      executor.run(0);
    }
    assertThat(done).filteredOn("small"::equals).hasSizeBetween(40, 50);
    assertThat(done).filteredOn("large 3"::equals).hasSizeBetween(3, 6);
    executor.runAll();
    assertThat(done).hasSize(180);
  }

  @Test
  void aProgramThatMayNotStartLeavesItsShareToOthers() {
    FairScheduler.TaskQueue capped = scheduler.newQueue("capped");
    FairScheduler.TaskQueue other = scheduler.newQueue("other");
    queue(capped, "capped", 100);
    capped.dispatch(_ -> false);
    queue(other, "other", 100);
    pump(other);
    for (int i = 0; i < 50; i++) {
      executor.run(0);
      assertThat(executor.started()).isEqualTo(10);
    }
    assertThat(done).containsOnly("other");
    pump(capped);
    for (int i = 0; i < 40; i++) {
      executor.run(0);
    }
    assertThat(done.subList(70, 90)).filteredOn("capped"::equals).hasSize(10);
  }

  @Test
  void manyJobsOfOneKeyDoNotDelayTheOthers() {
    FairScheduler two = new FairScheduler(2, executor);
    FairScheduler.TaskQueue queue = two.newQueue("program");
    Bytes hot = Bytes.wrap(new byte[] {1});
    for (int i = 0; i < 50; i++) {
      queue.add(job("hot " + i, i, 1, hot));
    }
    queue.add(job("other", 50, 1, Bytes.wrap(new byte[] {2})));
    queue.add(job("without key", 51, 1));
    pump(queue);
    executor.runAll();
    assertThat(done.subList(0, 4)).containsExactly("hot 0", "other", "hot 1", "without key");
    assertThat(done).hasSize(52).endsWith("hot 49");
  }

  /** A job that waits for a model if it should, and then for its end. */
  private static final class Waiting implements FairScheduler.Job {
    private final long sequence;
    private final CountDownLatch suspended = new CountDownLatch(1);
    private final CountDownLatch modelAnswers = new CountDownLatch(1);
    private final CountDownLatch resumed = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private FairScheduler.@Nullable Permit permit;

    private final boolean waits;

    private Waiting(long sequence, boolean waits) {
      this.sequence = sequence;
      this.waits = waits;
    }

    @Override
    public long epoch() {
      return 1;
    }

    @Override
    public long sequence() {
      return sequence;
    }

    @Override
    public void permit(FairScheduler.Permit given) {
      permit = given;
    }

    @Override
    public void run() {
      try {
        FairScheduler.Permit permit = Objects.requireNonNull(this.permit);
        if (waits) {
          permit.suspend();
          suspended.countDown();
          modelAnswers.await();
          permit.resume();
        }
        resumed.countDown();
        end.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void cancel() {}
  }

  @Test
  @Timeout(30)
  void documentsThatContinueAfterAnOutageDoNotTakeTheShareOfAnotherProgram() throws Exception {
    List<Thread> threads = new ArrayList<>();
    FairScheduler four = new FairScheduler(4, job -> threads.add(Thread.ofVirtual().start(job)));
    FairScheduler.TaskQueue waiting = four.newQueue("waiting");
    List<Waiting> jobs = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      jobs.add(new Waiting(i, true));
      waiting.add(jobs.getLast());
      pump(waiting);
      jobs.getLast().suspended.await();
    }
    assertThat(four.running()).isZero();
    for (Waiting job : jobs) {
      job.modelAnswers.countDown();
      job.resumed.await();
    }
    assertThat(four.running()).as("the model answers again").isEqualTo(10);

    FairScheduler.TaskQueue other = four.newQueue("other");
    List<Waiting> others = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      others.add(new Waiting(i, false));
      other.add(others.getLast());
    }
    pump(other);
    assertThat(threads).as("no permit was released").hasSize(10);
    List<Integer> startedOfOthers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      jobs.get(i).end.countDown();
      threads.get(i).join();
      startedOfOthers.add(threads.size() - 10);
      if (startedOfOthers.getLast() > 0) {
        others.get(startedOfOthers.getLast() - 1).resumed.await();
      }
    }
    assertThat(startedOfOthers).as("half of the limit, at once").containsExactly(1, 2, 2, 2);
    assertThat(four.running()).isEqualTo(8);

    jobs.forEach(job -> job.end.countDown());
    others.forEach(job -> job.end.countDown());
    others.getLast().resumed.await();
    for (Thread thread : List.copyOf(threads)) {
      thread.join();
    }
    assertThat(four.running()).isZero();
  }

  @Test
  void aClosedTaskStartsNothingMoreAndItsRunningJobsAreCancelled() {
    FairScheduler one = new FairScheduler(1, executor);
    FairScheduler.TaskQueue queue = one.newQueue("program");
    queue(queue, "a", 2);
    pump(queue);
    queue.close();
    assertThat(done).containsExactly("a cancelled");
    assertThat(one.running()).isEqualTo(1);
    executor.runAll();
    assertThat(done).containsExactly("a cancelled", "a");
    assertThat(one.running()).isZero();
  }
}
