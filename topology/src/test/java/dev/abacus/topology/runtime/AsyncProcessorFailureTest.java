package dev.abacus.topology.runtime;

import static dev.abacus.topology.runtime.Harness.text;
import static dev.abacus.topology.runtime.ScriptedWork.copied;
import static dev.abacus.topology.runtime.ScriptedWork.result;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Work that fails, records that are too large, and tasks that close. */
class AsyncProcessorFailureTest extends ProcessorFixture {

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
    byte[] large = new byte[RecordSizes.HEADROOM + 200];
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
          .containsExactly(
              "the record has 101 bytes; a document may have 100 (abacus.document.max.bytes)");
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
  void whatCannotEvenFailStaysPendingForTheNextOpening() {
    work.script =
        (record, context) -> {
          throw new IllegalStateException("first bug");
        };
    work.failing = true;
    try (Harness first = open()) {
      first.send("a", "1");
      first.finish();
      assertThat(first.deadLetters()).isEmpty();
      assertThat(first.listener.pending).hasValue(1);
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
