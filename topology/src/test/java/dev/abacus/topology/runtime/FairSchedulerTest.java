package dev.abacus.topology.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class FairSchedulerTest {

  private final ManualExecutor executor = new ManualExecutor();
  private final FairScheduler scheduler = new FairScheduler(10, executor);
  private final List<String> done = new ArrayList<>();

  private FairScheduler.Job job(String name, long sequence, long epoch) {
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
    FairScheduler.TaskQueue alone = scheduler.newQueue();
    scheduler.newQueue();
    queue(alone, "a", 15);
    pump(alone);
    assertThat(scheduler.running()).isEqualTo(10);
    assertThat(executor.started()).isEqualTo(10);
  }

  @Test
  void freedPermitsGoToTheTaskWithLeastUntilSharesAreFair() {
    FairScheduler.TaskQueue a = scheduler.newQueue();
    FairScheduler.TaskQueue b = scheduler.newQueue();
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
    FairScheduler.TaskQueue queue = scheduler.newQueue();
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
    FairScheduler.TaskQueue queue = one.newQueue();
    queue(queue, "a", 3);
    pump(queue);
    executor.runAll();
    assertThat(done).hasSize(3);
  }

  @Test
  void amongReadyStampsTheOldestJobStartsFirst() {
    FairScheduler one = new FairScheduler(1, executor);
    FairScheduler.TaskQueue queue = one.newQueue();
    queue.add(job("first", 1, 7));
    queue.add(job("second", 2, 8));
    queue.add(job("third", 3, 7));
    queue.add(job("other", 0, 9));
    queue.dispatch(epoch -> epoch != 9);
    assertThat(queue.waitingForEpoch()).isEqualTo(1);
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
    FairScheduler.TaskQueue queue = refused.newQueue();
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
    FairScheduler.TaskQueue queue = one.newQueue();
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
  void aClosedTaskStartsNothingMoreAndItsRunningJobsAreCancelled() {
    FairScheduler one = new FairScheduler(1, executor);
    FairScheduler.TaskQueue queue = one.newQueue();
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
