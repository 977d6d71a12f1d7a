package dev.abacus.deploy.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.ReferenceProgress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AccountingTest {

  private final Accounting accounting = new Accounting(0);

  private static InstanceStatus status(
      String instance, long pending, long results, long filtered, double costUsd) {
    return InstanceStatus.builder("p", instance, Instant.EPOCH, "RUNNING")
        .epoch(1L)
        .pending(pending)
        .inFlight(pending)
        .results(results)
        .filtered(filtered)
        .costUsd(costUsd)
        .build();
  }

  private void send(int count) {
    for (int i = 0; i < count; i++) {
      accounting.sent("t-0@" + i, "key " + i);
    }
  }

  @Test
  void aJobIsDoneWhenEveryDocumentHasARecord() {
    send(2);

    assertThat(accounting.result("t-0@1")).isSameAs(accounting.document("t-0@1"));
    assertThat(accounting.complete()).isFalse();
    assertThat(accounting.deadLetter("t-0@0")).isSameAs(accounting.document("t-0@0"));
    assertThat(accounting.complete()).isTrue();
  }

  @Test
  void aRecordOfAnotherJobIsNotCounted() {
    send(1);

    assertThat(accounting.result("t-0@77")).isNull();
    assertThat(accounting.results()).isZero();
  }

  @Test
  void aDocumentWithSeveralResultsCountsOnce() {
    send(2);
    accounting.result("t-0@0");

    assertThat(accounting.result("t-0@0")).isSameAs(accounting.document("t-0@0"));
    assertThat(accounting.deadLetter("t-0@0")).isNull();
    assertThat(accounting.results()).isEqualTo(1);
    assertThat(accounting.complete()).isFalse();
  }

  @Test
  void whereDocumentsGoIntoWindowsTheDataPlaneMustComeToRest() {
    Accounting windows = new Accounting(1);
    for (int i = 0; i < 5; i++) {
      windows.sent("t-0@" + i, "key " + i);
    }
    windows.result("t-0@0");
    windows.report(status("a", 0, 1, 1, 0));
    for (int round = 0; round < 3; round++) {
      assertThat(windows.complete()).isFalse();
      assertThat(windows.consumed()).isZero();
      windows.idle().consumed(windows.instances());
      windows.report(status("a", 0, 1, 1, 0));
      windows.report(status("a", 0, 1, 1, 0));
    }

    assertThat(windows.complete()).isTrue();
    assertThat(windows.filtered()).isZero();
    assertThat(windows.consumed()).isEqualTo(4);
  }

  @Test
  void documentsWithoutRecordAreFilteredWhenAsManyDropsAreReported() {
    send(3);
    accounting.result("t-0@0");
    accounting.report(status("a", 0, 1, 1, 0.1));
    assertThat(accounting.complete()).isFalse();

    accounting.report(status("a", 0, 1, 2, 0.2));

    assertThat(accounting.complete()).isTrue();
    assertThat(accounting.filtered()).isEqualTo(2);
    assertThat(accounting.countersAreComplete()).isTrue();
    assertThat(accounting.costUsd()).isEqualTo(0.2);
  }

  @Test
  void aResultThatIsNotCommittedYetIsWaitedFor() {
    send(3);
    accounting.report(status("a", 0, 1, 2, 0));

    assertThat(accounting.complete()).isFalse();
    accounting.result("t-0@2");
    assertThat(accounting.complete()).isTrue();
  }

  @Test
  void whatWasDroppedBeforeTheJobDoesNotCount() {
    accounting.baseline(status("a", 0, 10, 20, 5));
    send(2);
    accounting.report(status("a", 0, 10, 20, 5));
    assertThat(accounting.complete()).isFalse();

    accounting.report(status("a", 0, 10, 22, 6));

    assertThat(accounting.complete()).isTrue();
    assertThat(accounting.costUsd()).isEqualTo(1);
  }

  @Test
  void dropsOfSeveralInstancesAddUp() {
    send(5);
    accounting.report(status("a", 0, 0, 2, 0));
    accounting.report(status("b", 0, 0, 3, 0));

    assertThat(accounting.complete()).isTrue();
  }

  @Test
  void aRestartedInstanceCountsOnFromNothing() {
    send(5);
    accounting.report(status("a", 3, 0, 2, 0.2));
    accounting.report(status("a", 0, 0, 0, 0));
    accounting.report(status("a", 0, 0, 3, 0.3));

    assertThat(accounting.filtered()).isEqualTo(5);
    assertThat(accounting.complete()).isTrue();
    assertThat(accounting.costUsd()).isEqualTo(0.5);
  }

  @Test
  void whenARestartMadeTheCountersMeaninglessAJobIsDoneIfTheDataPlaneIsIdle() {
    send(3);
    accounting.result("t-0@0");
    accounting.report(status("a", 0, 1, 7, 0));
    for (int round = 0; round < 2; round++) {
      assertThat(accounting.complete()).isFalse();
      accounting.idle().consumed(accounting.instances());
      accounting.report(status("a", 0, 1, 7, 0));
      accounting.report(status("a", 0, 1, 7, 0));
    }

    assertThat(accounting.complete()).isTrue();
    assertThat(accounting.filtered()).isEqualTo(2);
  }

  @Test
  void anInstanceThatIsGoneHoldsNothingBack() {
    accounting.baseline(status("stopped before the job", 7, 0, 0, 0));
    send(1);
    accounting.report(at(Instant.ofEpochSecond(100), "killed", 5));
    accounting.report(at(Instant.ofEpochSecond(200), "alive", 1));

    assertThat(accounting.pending()).isEqualTo(1);
    assertThat(accounting.instances())
        .extracting(InstanceStatus::instance)
        .containsExactly("alive");
  }

  private static InstanceStatus at(Instant at, String instance, long pending) {
    return InstanceStatus.builder("p", instance, at, "RUNNING")
        .epoch(1L)
        .pending(pending)
        .inFlight(pending)
        .build();
  }

  @Test
  void aReferenceIsAsFarAsTheSlowestInstanceHasIt() {
    accounting.report(
        status("a", 0, 0, 0, 0).toBuilder()
            .references(
                List.of(
                    new ReferenceProgress("terms", 10, 90), new ReferenceProgress("units", 1, 2)))
            .build());
    accounting.report(
        status("b", 0, 0, 0, 0).toBuilder()
            .references(List.of(new ReferenceProgress("terms", 7, 90)))
            .build());
    assertThat(references(accounting))
        .containsExactly(
            new ReferenceProgress("terms", 7, 90), new ReferenceProgress("units", 1, 2));

    accounting.report(status("b", 0, 0, 0, 0));
    accounting.report(status("a", 0, 0, 0, 0));
    assertThat(references(accounting)).isEmpty();
  }

  private static List<ReferenceProgress> references(Accounting accounting) {
    return new JobSnapshot(0, 0, 0, 0, 0, 0, accounting.instances(), 0, 0, Map.of(), null)
        .references();
  }
}
