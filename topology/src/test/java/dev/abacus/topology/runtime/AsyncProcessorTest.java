package dev.abacus.topology.runtime;

import static dev.abacus.topology.runtime.Harness.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.program.Settings.Ordering;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** The order of records, and which of them are in process at a time. */
class AsyncProcessorTest extends ProcessorFixture {

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
  void aRecordWaitsUntilItsStampIsReadyAndItsLaneWaitsWithIt() {
    work.epochs = input -> Long.parseLong(text(input.value()));
    work.unready.add(7L);
    try (Harness harness = open()) {
      harness.send("a", "7");
      harness.send("a", "6");
      harness.send("b", "5");
      harness.finish();
      assertThat(harness.results()).containsExactly("5");
      assertThat(harness.listener.pending).hasValue(2);

      work.unready.clear();
      harness.tick();
      harness.finish();
      assertThat(harness.results()).containsExactly("7", "6");
      assertThat(work.records).extracting(PendingRecord::epoch).containsExactly(6L, 5L, 7L);
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
  void recordsBeyondTheBoundStayInTheStoreAndComeToTheirTurn() {
    work.unready.add(1L);
    try (Harness harness = open(settings.withPendingBound(2))) {
      for (int i = 0; i < 10; i++) {
        harness.send("k" + i % 3, Integer.toString(i));
      }
      harness.tick();
      assertThat(stores.size()).isEqualTo(10);
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
  void aSlowRecordOfAHotKeyDoesNotStopOtherKeys() {
    try (Harness harness = open(settings.withPendingBound(4))) {
      harness.send("hot", "slow");
      for (int i = 0; i < 20; i++) {
        harness.send("hot", "h" + i);
        harness.executor.run(1);
        harness.tick();
      }
      harness.send("other", "o");
      assertThat(harness.executor.started()).isEqualTo(2);
      harness.executor.run(1);
      harness.tick();
      assertThat(harness.results()).containsExactly("o");

      harness.finish();
      assertThat(harness.results()).startsWith("slow", "h0", "h1").hasSize(21);
      assertThat(stores.size()).isZero();
    }
  }

  @Test
  void delayedOutputsAreBoundedBySize() {
    work.script = (record, _) -> ScriptedWork.result(record.input(), new byte[10 * 1024]);
    try (Harness harness = open(settings.withPendingBound(4))) {
      harness.send("hot", "slow");
      for (int i = 0; i < 20; i++) {
        harness.send("hot", "h" + i);
      }
      while (harness.executor.started() > 1) {
        harness.executor.run(1);
        harness.tick();
      }
      // Three of the first four, and at least those whose outputs fit into 32 KiB.
      assertThat(work.records).hasSizeBetween(3, 8);
      harness.finish();
      assertThat(harness.results()).hasSize(21);
    }
  }

  @Test
  void aFullTaskHoldsItsThreadUpForASliceAndAcceptsThen() {
    work.unready.add(1L);
    Duration slice = Duration.ofMillis(20);
    try (Harness harness = open(settings.withPendingBound(2).withSlice(slice))) {
      harness.send("a", "1");
      for (String beyond : List.of("2", "3")) {
        long start = System.nanoTime();
        harness.send("a", beyond);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(slice);
      }
      harness.tick();
      assertThat(harness.listener.pending).hasValue(3);
    }
  }

  @Test
  void aSliceEndsAsSoonAsWorkIsDone() {
    FairScheduler atOnce = new FairScheduler(10, Runnable::run);
    RuntimeSettings full = settings.withPendingBound(1).withSlice(Duration.ofMillis(100));
    try (Harness harness =
        Harness.over(work).stores(stores).settings(full).scheduler(atOnce).open()) {
      long start = System.nanoTime();
      for (int i = 0; i < 20; i++) {
        harness.send("a", Integer.toString(i));
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
      assertThat(harness.results()).hasSize(20);
    }
  }
}
