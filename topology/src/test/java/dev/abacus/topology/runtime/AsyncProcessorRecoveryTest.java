package dev.abacus.topology.runtime;

import static dev.abacus.topology.runtime.Harness.text;
import static dev.abacus.topology.runtime.ScriptedWork.copied;
import static dev.abacus.topology.runtime.ScriptedWork.result;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a processor stores, and what it resumes after a restart. */
class AsyncProcessorRecoveryTest extends ProcessorFixture {

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

      assertThat(second.results()).containsExactly("2", "3");
      assertThat(work.restored).containsExactly(false, true, false);
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
      harness.send("a", "2");
      harness.executor.run(1);
      harness.tick();
      // The second is done but waits for the first: two entries, no checkpoint.
      assertThat(stores.size()).isEqualTo(2);
      harness.finish();
      assertThat(harness.results()).containsExactly("1", "2");
    }
  }

  @Test
  void anAnswerWithAReceiptIsNotPaidForTwice() {
    InMemoryReceipts receipts = new InMemoryReceipts();
    int[] calls = {0};
    work.script =
        (record, context) -> {
          String hash = "hash of " + text(record.input().value());
          byte[] answer = context.find(hash);
          if (answer == null) {
            calls[0]++;
            answer = "paid".getBytes(UTF_8);
            context.record(hash, answer);
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
          byte[] answer = context.find("hash");
          if (answer == null) {
            calls[0]++;
            answer = "paid".getBytes(UTF_8);
            context.record("hash", answer);
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
  void aTaskWithoutRecordsForSomeMinutesReadsNoReceiptsFromBefore() {
    List<Long> read = new ArrayList<>();
    ReceiptLog busy = busyPartition(read);
    try (Harness first = Harness.over(work).stores(stores).receipts(busy).open()) {
      Duration time = Duration.ofMinutes(3);
      for (Duration passed = Duration.ZERO;
          passed.compareTo(time) < 0;
          passed = passed.plusMillis(5)) {
        first.tick();
      }
    }
    Harness.over(work).stores(stores).receipts(busy).open().close();
    assertThat(read).containsExactly(ReceiptLog.BEGINNING, 5_000_000L);
  }

  /** Receipts of other tasks of the partition. */
  private static ReceiptLog busyPartition(List<Long> read) {
    return new ReceiptLog() {
      @Override
      public void write(int partition, String requestHash, byte[] response) {}

      @Override
      public void handOver(int partition, Collection<String> requestHashes) {}

      @Override
      public void giveUp(int partition, String requestHash) {}

      @Override
      public long position(int partition) {
        return 5_000_000;
      }

      @Override
      public Snapshot snapshot(int partition, long from) {
        read.add(from);
        return Snapshot.EMPTY;
      }
    };
  }

  @Test
  void recordsThatDoNotFitIntoMemoryWaitInTheStoreAlsoAfterARestart() {
    PendingMemory memory = new PendingMemory(1_000);
    String text = "x".repeat(300);
    List<@Nullable String> results = new ArrayList<>();
    try (Harness first = Harness.over(work).stores(stores).memory(memory).open()) {
      for (int i = 0; i < 20; i++) {
        first.send("k" + i, i + text);
      }
      assertThat(first.executor.started()).isEqualTo(4);
    }
    assertThat(memory.hasRoom()).as("of a closed task").isTrue();
    try (Harness second = Harness.over(work).stores(stores).memory(memory).open()) {
      assertThat(second.executor.started()).isEqualTo(4);
      second.finish();
      results.addAll(second.results());
    }
    assertThat(results).hasSize(20).doesNotHaveDuplicates();
    assertThat(memory.hasRoom()).isTrue();
  }

  /** A log of one partition, in which a snapshot has the receipts from a position on. */
  private static final class Numbered implements ReceiptLog {
    private final List<String> hashes = new ArrayList<>();

    @Override
    public void write(int partition, String requestHash, byte[] response) {
      hashes.add(requestHash);
    }

    @Override
    public long position(int partition) {
      return hashes.size();
    }

    @Override
    public Snapshot snapshot(int partition, long from) {
      List<String> read = List.copyOf(hashes.subList((int) from, hashes.size()));
      return hash -> read.contains(hash) ? "paid".getBytes(UTF_8) : null;
    }
  }

  @Test
  void receiptsOfRecordsThatWaitInTheStoreAloneAreFoundAfterTheNextCrashToo() throws Exception {
    Numbered receipts = new Numbered();
    int[] calls = {0};
    work.script =
        (record, context) -> {
          String hash = text(record.input().value());
          if (context.find(hash) == null) {
            calls[0]++;
            context.record(hash, "paid".getBytes(UTF_8));
          }
          return copied(record);
        };
    try (Harness first = Harness.over(work).stores(stores).receipts(receipts).open()) {
      first.send("a", "1");
      first.send("b", "2");
      first.executor.runAll(); // answered, and not forwarded when the process dies
    }
    Harness.Builder small =
        Harness.over(work).stores(stores).receipts(receipts).memory(new PendingMemory(1));
    try (Harness second = small.open()) {
      second.pass(Duration.ofMinutes(2));
      Thread.sleep(1_100); // The position is stored once a second.
      second.executor.run(0);
      second.tick();
      assertThat(second.results()).containsExactly("1");
    }
    try (Harness third = small.open()) {
      third.finish();
      assertThat(third.results()).containsExactly("2");
    }
    assertThat(calls[0]).isEqualTo(2);
  }
}
