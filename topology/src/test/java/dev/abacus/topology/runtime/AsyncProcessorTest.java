package dev.abacus.topology.runtime;

import static dev.abacus.topology.runtime.Harness.text;
import static dev.abacus.topology.runtime.ScriptedWork.copied;
import static dev.abacus.topology.runtime.ScriptedWork.result;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.program.Settings.Ordering;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AsyncProcessorTest {

  private final ScriptedWork work = new ScriptedWork();
  private final SurvivingStores stores = new SurvivingStores();
  private final RuntimeSettings settings = RuntimeSettings.defaults().withSlice(Duration.ZERO);

  private Harness open() {
    return Harness.over(work).stores(stores).open();
  }

  private Harness open(RuntimeSettings with) {
    return Harness.over(work).stores(stores).settings(with).open();
  }

  @Test
  void keyValueHeadersAndTimestampOfARecordReachTheWork() {
    try (Harness harness = open()) {
      Headers headers = new TestRecord<>("k", "v").headers();
      headers.add("trace", "abc".getBytes(UTF_8)).add("empty", null);
      harness.send(new TestRecord<>("k", "v", headers, Harness.START.plusSeconds(7)));
      harness.finish();

      assertThat(harness.records())
          .containsExactly(new TestRecord<>("k", "v", headers, Harness.START.plusSeconds(7)));
      PendingRecord record = work.records.getFirst();
      assertThat(record.input().topic()).isEqualTo("in");
      assertThat(record.input().offset()).isZero();
      assertThat(record.admittedAt()).isEqualTo(Harness.START);
      assertThat(work.restored).containsExactly(false);
    }
  }

  @Test
  void aMarkLeavesAfterAllThatCameBeforeItWhateverTheirKeysAlsoAfterARestart() {
    try (Harness harness = open()) {
      harness.send("a", "1");
      harness.send("b", "2");
      harness.send("a", "mark");
      harness.send("c", "3");
      harness.executor.run(2);
      harness.executor.run(2);
      harness.executor.run(0);
      harness.tick();
      assertThat(harness.results()).containsExactly("3", "1");
    }
    try (Harness harness = open()) {
      assertThat(harness.executor.started()).isEqualTo(2);
      harness.executor.run(1);
      harness.tick();
      assertThat(harness.results()).isEmpty();
      harness.executor.run(0);
      harness.tick();
      assertThat(harness.results()).containsExactly("2", "mark");
    }
  }

  @Test
  void resultsOfOneKeyKeepTheirOrderThoughTheirWorkRunsAtTheSameTime() {
    try (Harness harness = open()) {
      harness.send("a", "1");
      harness.send("a", "2");
      harness.send("b", "3");
      assertThat(harness.executor.started()).isEqualTo(3);

      harness.executor.run(1);
      harness.executor.run(1);
      harness.tick();
      assertThat(harness.results()).containsExactly("3");

      harness.executor.run(0);
      harness.tick();
      assertThat(harness.results()).containsExactly("1", "2");
    }
  }

  @Test
  void resultsWithoutAKeyOvertake() {
    try (Harness harness = open()) {
      harness.send(null, "1");
      harness.send(null, "2");
      harness.executor.run(1);
      harness.tick();

      assertThat(harness.results()).containsExactly("2");
    }
  }

  @Test
  void resultsOvertakeWhenNoOrderIsWanted() {
    try (Harness harness = open(settings.withOrdering(Ordering.NONE))) {
      harness.send("a", "1");
      harness.send("a", "2");
      harness.executor.run(1);
      harness.tick();

      assertThat(harness.results()).containsExactly("2");
    }
  }

  @Test
  void whatIsForwardedIsRemovedFromTheStore() {
    try (Harness harness = open()) {
      harness.send("a", "1");
      assertThat(stores.size()).isEqualTo(1);
      harness.finish();
      assertThat(stores.size()).isZero();
      assertThat(harness.listener.pending).hasValue(0);
    }
  }

  @Test
  void pendingRecordsGoOnAfterARestart() {
    try (Harness first = open()) {
      first.send("a", "1");
      first.send("a", "2");
      first.executor.run(0);
      first.tick();
      assertThat(first.results()).containsExactly("1");
    }
    try (Harness second = open()) {
      second.send("a", "3");
      second.finish();

      assertThat(second.listener.restored).hasValue(1);
      assertThat(second.results()).containsExactly("2", "3");
      assertThat(work.restored).containsExactly(false, true, false);
    }
  }

  @Test
  void restoredWorkResumesFromItsLastCheckpoint() {
    try (Harness first = open()) {
      work.script =
          (record, context) -> {
            context.checkpoint("one".getBytes(UTF_8));
            context.checkpoint("two".getBytes(UTF_8));
            first.tick();
            first.stop();
            throw new IllegalStateException("interrupted, as the process dies");
          };
      first.send("a", "1");
      first.executor.runAll();
    }
    assertThat(work.failures).isEmpty();
    work.script =
        (record, context) ->
            result(record.input(), ("from " + text(context.restoredCheckpoint())).getBytes(UTF_8));
    try (Harness second = open()) {
      second.finish();
      assertThat(second.results()).containsExactly("from two");
      assertThat(stores.size()).isZero();
    }
  }

  @Test
  void aCheckpointIsKeptUntilItsRecordIsForwarded() {
    SurvivingStores afterCheckpoint = new SurvivingStores();
    work.script =
        (record, context) -> {
          context.checkpoint("half".getBytes(UTF_8));
          return copied(record);
        };
    try (Harness first = Harness.over(work).stores(afterCheckpoint).open()) {
      first.send("a", "1");
      first.send("a", "2");
      first.executor.run(1);
      first.tick();
      // The second is done but waits for the first: entry, entry, checkpoint.
      assertThat(afterCheckpoint.size()).isEqualTo(3);
    }
    work.script =
        (record, context) ->
            result(
                record.input(),
                (text(context.restoredCheckpoint()) + text(record.input().value()))
                    .getBytes(UTF_8));
    try (Harness second = Harness.over(work).stores(afterCheckpoint).open()) {
      second.finish();
      assertThat(second.results()).containsExactly("null1", "half2");
      assertThat(afterCheckpoint.size()).isZero();
    }
  }

  @Test
  void finishedWorkIsStoredOnlyWhileAnEarlierRecordOfItsKeyDelaysIt() {
    work.script = (record, context) -> copied(record).withCheckpoint(() -> "done".getBytes(UTF_8));
    try (Harness first = open()) {
      first.send("a", "1");
      first.send("a", "2");
      first.executor.run(1);
      first.tick();
      // The second is done but waits for the first: entry, entry, checkpoint.
      assertThat(stores.size()).isEqualTo(3);
      first.finish();
      assertThat(first.results()).containsExactly("1", "2");
      assertThat(first.listener.checkpoints).hasValue(1);
      assertThat(stores.size()).isZero();
    }
  }

  @Test
  void aCheckpointThatIsTooLargeIsNotKept() {
    work.script =
        (record, context) -> {
          context.checkpoint(new byte[101]);
          return copied(record);
        };
    try (Harness harness = open(settings.withRecordLimit(100))) {
      harness.send("a", "1");
      harness.finish();
      assertThat(harness.listener.checkpoints).hasValue(0);
      assertThat(harness.results()).containsExactly("1");
    }
  }

  @Test
  void anAnswerWithAReceiptIsNotPaidForTwice() {
    InMemoryReceipts receipts = new InMemoryReceipts();
    int[] calls = {0};
    work.script =
        (record, context) -> {
          String hash = "hash of " + text(record.input().value());
          byte[] answer = context.receipts().find(hash);
          if (answer == null) {
            calls[0]++;
            answer = "paid".getBytes(UTF_8);
            context.receipts().record(hash, answer);
          }
          return result(record.input(), answer);
        };
    try (Harness first = Harness.over(work).stores(stores).receipts(receipts).open()) {
      first.send("a", "1");
      first.send("a", "2");
      first.executor.run(1); // answered, but waits for its turn when the process dies
    }
    try (Harness second = Harness.over(work).stores(stores).receipts(receipts).open()) {
      second.finish();
      assertThat(second.results()).containsExactly("paid", "paid");
      assertThat(calls[0]).isEqualTo(2);
      assertThat(second.listener.receiptsFound).hasValue(1);

      second.send("a", "2"); // its admission may have been lost with the crash
      second.send("a", "3");
      second.finish();
      assertThat(calls[0]).isEqualTo(3);
    }
  }

  @Test
  void anAnswerIsNotPaidForTwiceIfTheAdmissionOfItsRecordWasNotCommitted() {
    InMemoryReceipts receipts = new InMemoryReceipts();
    int[] calls = {0};
    work.script =
        (record, context) -> {
          byte[] answer = context.receipts().find("hash");
          if (answer == null) {
            calls[0]++;
            answer = "paid".getBytes(UTF_8);
            context.receipts().record("hash", answer);
          }
          return result(record.input(), answer);
        };
    for (int attempt = 0; attempt < 3; attempt++) {
      // Each attempt starts with empty stores, as if the transaction of the last one was aborted.
      try (Harness harness =
          Harness.over(work).stores(new SurvivingStores()).receipts(receipts).open()) {
        harness.send("a", "1");
        harness.executor.runAll();
      }
    }
    assertThat(calls[0]).isEqualTo(1);
  }

  @Test
  void aRecordWaitsUntilItsStampIsReadyAndItsLaneWaitsWithIt() {
    work.epochs = input -> Long.parseLong(text(input.value()));
    work.unready.add(7L);
    try (Harness harness = open()) {
      harness.send("a", "7");
      harness.send("a", "6");
      harness.send("b", "5");
      harness.finish();
      assertThat(harness.results()).containsExactly("5");
      assertThat(harness.listener.waiting).hasValue(1);

      work.unready.clear();
      harness.tick();
      harness.finish();
      assertThat(harness.results()).containsExactly("7", "6");
      assertThat(work.records).extracting(PendingRecord::epoch).containsExactly(6L, 5L, 7L);
    }
  }

  @Test
  void aStampIsKeptThroughARestart() {
    work.epochs = input -> 7;
    try (Harness first = open()) {
      first.send("a", "1");
    }
    work.epochs = input -> 8;
    try (Harness second = open()) {
      second.finish();
      assertThat(work.records).extracting(PendingRecord::epoch).containsExactly(7L);
    }
  }

  @Test
  void anUnstampedRecordGetsItsEpochWhenItsWorkStarts() {
    work.epochs = input -> Work.UNSTAMPED;
    ManualExecutor executor = new ManualExecutor();
    try (Harness harness = Harness.over(work).scheduler(new FairScheduler(1, executor)).open()) {
      harness.send("a", "1");
      harness.send("b", "2");
      work.stamp = 8;
      executor.run(0);
      work.stamp = 9;
      executor.run(0);
      harness.tick();
      assertThat(work.records).extracting(PendingRecord::epoch).containsExactly(8L, 9L);
    }
  }

  @Test
  void twoProgramsOfAWorkerShareItsPermits() {
    int limit = 6;
    ManualExecutor executor = new ManualExecutor();
    FairScheduler ofWorker = new FairScheduler(limit, executor);
    ScriptedWork other = new ScriptedWork();
    try (Harness first = Harness.over(work).scheduler(ofWorker).open();
        Harness second = Harness.over(other).scheduler(ofWorker).program("other").open()) {
      for (int i = 0; i < 20; i++) {
        first.send("a" + i, "1");
      }
      first.tick();
      assertThat(executor.started()).as("the other program is idle").isEqualTo(limit);
      for (int i = 0; i < 20; i++) {
        second.send("b" + i, "1");
      }
      second.tick();
      assertThat(executor.started()).as("the permits are used up").isEqualTo(limit);
      for (int ended = 1; ended <= 20; ended++) {
        executor.run(0);
        assertThat(executor.started()).as("in flight").isEqualTo(limit);
        assertThat(ofWorker.running()).isEqualTo(limit);
      }
      assertThat(other.records)
          .as("freed permits go to the program that has fewer")
          .hasSizeBetween(7, 13);
      while (executor.started() > 0) {
        executor.runAll();
        first.tick();
        second.tick();
      }
      assertThat(ofWorker.running()).isZero();
      assertThat(first.results()).hasSize(20);
      assertThat(second.results()).hasSize(20);
    }
  }

  @Test
  void aProgramOfTwelvePartitionsGetsNoMoreThanOneOfOnePartition() {
    ManualExecutor executor = new ManualExecutor();
    FairScheduler ofWorker = new FairScheduler(12, executor);
    ScriptedWork small = new ScriptedWork();
    List<Harness> partitions = new ArrayList<>();
    try (Harness only = Harness.over(small).scheduler(ofWorker).program("small").open()) {
      for (int i = 0; i < 12; i++) {
        partitions.add(Harness.over(work).scheduler(ofWorker).program("large").open());
        for (int j = 0; j < 10; j++) {
          partitions.getLast().send("a" + j, "1");
        }
        partitions.getLast().tick();
      }
      for (int i = 0; i < 60; i++) {
        only.send("b" + i, "1");
      }
      only.tick();
      for (int ended = 1; ended <= 100; ended++) {
        executor.run(0);
      }
      assertThat(small.records).hasSizeBetween(40, 50);
      assertThat(work.records).hasSizeBetween(50, 60);
    } finally {
      partitions.forEach(Harness::close);
    }
  }

  @Test
  void aCheckpointKeepsTheEpochOfARecordThatWasUnstamped() {
    work.epochs = input -> Work.UNSTAMPED;
    work.stamp = 8;
    List<@Nullable String> states = new ArrayList<>();
    work.script =
        (record, context) -> {
          states.add(text(context.restoredCheckpoint()));
          context.checkpoint("half".getBytes(UTF_8));
          throw new IllegalStateException("stuck until the task is opened again");
        };
    work.failing = true;
    SurvivingStores stores = new SurvivingStores();
    try (Harness first = Harness.over(work).stores(stores).open()) {
      first.send("a", "1");
      first.executor.runAll();
      first.tick();
    }
    work.stamp = 9;
    work.script =
        (record, context) -> {
          states.add(text(context.restoredCheckpoint()));
          return ScriptedWork.copied(record);
        };
    try (Harness second = Harness.over(work).stores(stores).open()) {
      second.finish();
    }
    assertThat(work.records).extracting(PendingRecord::epoch).containsExactly(8L, 8L);
    assertThat(states).containsExactly("null", "half");
    assertThat(stores.size()).isZero();
  }

  @Test
  void runningWorkKeepsItsEpochThroughARestartOnceANewOneBegins() {
    work.epochs = input -> Work.UNSTAMPED;
    work.stamp = 8;
    SurvivingStores stores = new SurvivingStores();
    work.failing = true;
    work.script =
        (record, context) -> {
          throw new IllegalStateException("stuck until the task is opened again");
        };
    try (Harness first = Harness.over(work).stores(stores).open()) {
      first.send("a", "1");
      first.executor.runAll();
      first.tick();
      work.stamp = 9;
      first.send("b", "2");
      first.executor.runAll();
      first.tick();
    }
    work.records.clear();
    work.stamp = 10;
    work.script = (record, context) -> ScriptedWork.copied(record);
    try (Harness second = Harness.over(work).stores(stores).open()) {
      second.finish();
    }
    assertThat(work.records).extracting(PendingRecord::epoch).containsExactly(8L, 9L);
    assertThat(stores.size()).isZero();
  }

  @Test
  void queuedWorkDoesNotStartOncePaused() {
    work.unready.add(1L);
    ManualExecutor executor = new ManualExecutor();
    FairScheduler one = new FairScheduler(1, executor);
    try (Harness harness = Harness.over(work).stores(stores).scheduler(one).open()) {
      work.unready.clear();
      harness.send("a", "1");
      harness.send("a", "2");
      work.unready.add(1L);
      harness.tick();
      executor.runAll();
      harness.tick();
      assertThat(harness.results()).containsExactly("1");

      work.unready.clear();
      harness.tick();
      executor.runAll();
      harness.tick();
      assertThat(harness.results()).containsExactly("2");
    }
  }

  @Test
  void aTombstoneIsARecordLikeAnyOther() {
    try (Harness first = open()) {
      first.send("a", null);
    }
    try (Harness second = open()) {
      second.finish();
      assertThat(second.sent()).containsExactly(new Harness.Sent("a", null));
    }
  }

  @Test
  void aJvmWithoutMemoryMakesNoDeadLetters() {
    work.script =
        (record, context) -> {
          throw new OutOfMemoryError("planted");
        };
    try (Harness first = open()) {
      first.send("a", "1");
      assertThatThrownBy(first.executor::runAll).isInstanceOf(OutOfMemoryError.class);
      first.tick();
      assertThat(first.deadLetters()).isEmpty();
    }
    work.script = (record, context) -> copied(record);
    try (Harness second = open()) {
      second.finish();
      assertThat(second.results()).containsExactly("1");
    }
  }

  @Test
  void failingWorkBecomesADeadLetterInItsTurn() {
    work.script =
        (record, context) -> {
          if (text(record.input().value()).equals("2")) {
            throw new IllegalStateException("boom");
          }
          return copied(record);
        };
    try (Harness harness = open()) {
      harness.send("a", "1");
      harness.send("a", "2");
      harness.send("a", "3");
      harness.executor.run(2);
      harness.executor.run(1);
      harness.tick();
      assertThat(harness.deadLetters()).isEmpty();

      harness.finish();
      assertThat(harness.results()).containsExactly("1", "3");
      assertThat(harness.deadLetters()).containsExactly("boom");
      assertThat(stores.size()).isZero();
    }
  }

  @Test
  void anOutputThatIsTooLargeToSendBecomesADeadLetter() {
    byte[] large = new byte[RuntimeSettings.HEADROOM + 200];
    work.script = (record, context) -> result(record.input(), large);
    try (Harness harness = open(settings.withRecordLimit(100))) {
      harness.send("a", "1");
      harness.finish();
      assertThat(harness.results()).isEmpty();
      assertThat(harness.deadLetters()).singleElement().asString().contains("output for results");
    }
  }

  @Test
  void aRecordThatIsTooLargeIsRejectedAtOnceWhenNothingIsBeforeIt() {
    try (Harness harness = open(settings.withRecordLimit(100))) {
      harness.send("a", "x".repeat(100));
      assertThat(harness.deadLetters())
          .containsExactly("The record has 101 bytes; the limit is 100.");
      assertThat(stores.size()).isZero();
      assertThat(work.records).isEmpty();
    }
  }

  @Test
  void aRejectedRecordWaitsForItsTurnEvenThroughARestart() {
    try (Harness first = open(settings.withRecordLimit(100))) {
      first.send("a", "1");
      first.send("a", "x".repeat(100));
      first.send("b", "2");
      first.tick();
      assertThat(first.deadLetters()).isEmpty();
    }
    try (Harness second = open(settings.withRecordLimit(100))) {
      second.executor.run(1);
      second.tick();
      assertThat(second.results()).containsExactly("2");
      assertThat(second.deadLetters()).isEmpty();

      second.finish();
      assertThat(second.results()).containsExactly("1");
      assertThat(second.deadLetters()).hasSize(1);
      assertThat(stores.size()).isZero();
    }
  }

  @Test
  void recordsBeyondTheBoundStayInTheStoreAndComeToTheirTurn() {
    work.unready.add(1L);
    try (Harness harness = open(settings.withPendingBound(2))) {
      for (int i = 0; i < 10; i++) {
        harness.send("k" + i % 3, Integer.toString(i));
      }
      harness.tick();
      assertThat(stores.size()).isEqualTo(10);
      assertThat(harness.listener.waiting).hasValue(2);
      assertThat(harness.listener.pending).hasValue(10);

      work.unready.clear();
      harness.tick();
      assertThat(harness.executor.started()).isEqualTo(2);
      harness.finish();
      assertThat(harness.results())
          .containsExactlyInAnyOrder("0", "1", "2", "3", "4", "5", "6", "7", "8", "9");
      assertThat(stores.size()).isZero();
    }
  }

  @Test
  void aFullTaskHoldsItsThreadUpForASliceAndAcceptsThen() {
    work.unready.add(1L);
    Duration slice = Duration.ofMillis(20);
    try (Harness harness = open(settings.withPendingBound(2).withSlice(slice))) {
      harness.send("a", "1");
      assertThat(harness.listener.backpressureNanos).hasValue(0);
      harness.send("a", "2");
      long once = harness.listener.backpressureNanos.get();
      assertThat(Duration.ofNanos(once)).isGreaterThanOrEqualTo(slice);
      harness.send("a", "3");
      assertThat(Duration.ofNanos(harness.listener.backpressureNanos.get()))
          .isGreaterThanOrEqualTo(slice.multipliedBy(2));
      assertThat(harness.listener.admitted).hasValue(3);
    }
  }

  @Test
  void aSliceEndsAsSoonAsWorkIsDone() {
    FairScheduler atOnce = new FairScheduler(10, Runnable::run);
    RuntimeSettings full = settings.withPendingBound(1).withSlice(Duration.ofMillis(100));
    try (Harness harness =
        Harness.over(work).stores(stores).settings(full).scheduler(atOnce).open()) {
      for (int i = 0; i < 20; i++) {
        harness.send("a", Integer.toString(i));
      }
      assertThat(harness.results()).hasSize(20);
      assertThat(Duration.ofNanos(harness.listener.backpressureNanos.get()))
          .isLessThan(Duration.ofSeconds(1));
    }
  }

  @Test
  void whatCannotEvenFailStaysPendingForTheNextOpening() {
    work.script =
        (record, context) -> {
          throw new IllegalStateException("first bug");
        };
    work.failing = true;
    try (Harness first = open()) {
      first.send("a", "1");
      first.finish();
      assertThat(first.listener.stuck).hasValue(1);
      assertThat(first.scheduler.running()).isZero();
    }
    work.script = (record, context) -> copied(record);
    try (Harness second = open()) {
      second.finish();
      assertThat(second.results()).containsExactly("1");
    }
  }

  @Test
  void workOfAClosedTaskTouchesNothingAnyMore() {
    work.script =
        (record, context) -> {
          context.checkpoint("never".getBytes(UTF_8));
          return copied(record);
        };
    try (Harness first = open()) {
      first.send("a", "1");
      first.stop();
      first.executor.runAll();
      assertThat(work.records).isEmpty();
      assertThat(first.results()).isEmpty();
      assertThat(first.scheduler.running()).isZero();
    }
    assertThat(stores.size()).isEqualTo(1);
  }

  @Test
  void closingInterruptsRunningWorkAndForwardsNothing() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    work.script =
        (record, context) -> {
          running.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            interrupted.countDown();
          }
          return copied(record);
        };
    FairScheduler threads = FairScheduler.inVirtualThreads(10);
    try (Harness harness = Harness.over(work).stores(stores).scheduler(threads).open()) {
      harness.send("a", "1");
      assertThat(running.await(10, SECONDS)).isTrue();
      harness.stop();
      assertThat(interrupted.await(10, SECONDS)).isTrue();
      assertThat(harness.results()).isEmpty();
    }
    assertThat(stores.size()).isEqualTo(1);
  }
}
