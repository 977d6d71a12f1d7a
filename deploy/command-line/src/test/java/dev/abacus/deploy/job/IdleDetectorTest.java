package dev.abacus.deploy.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.control.InstanceStatus;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class IdleDetectorTest {

  private final IdleDetector rest = new IdleDetector(1);

  private static InstanceStatus status(String instance, long pending) {
    return InstanceStatus.builder("p", instance, Instant.EPOCH, "RUNNING")
        .epoch(1L)
        .pending(pending)
        .build();
  }

  private void round(String... instances) {
    rest.consumed(List.of(instances).stream().map(name -> status(name, 0)).toList());
    for (String instance : instances) {
      rest.report(status(instance, 0));
      rest.report(status(instance, 0));
    }
  }

  @Test
  void aDataPlaneIsAtRestAfterOneRoundMoreThanADocumentHasWaysToGo() {
    round("a", "b");
    round("a", "b");
    assertThat(rest.reached()).isFalse();

    round("a", "b");

    assertThat(rest.reached()).isTrue();
    assertThat(rest.needsLag()).isFalse();
  }

  @Test
  void everyInstanceMustReportTwiceInARound() {
    rest.consumed(List.of(status("a", 0), status("b", 0)));
    rest.report(status("a", 0));
    rest.report(status("a", 0));
    rest.report(status("b", 0));

    assertThat(rest.needsLag()).isFalse();
    rest.report(status("b", 0));
    assertThat(rest.needsLag()).isTrue();
  }

  @Test
  void whatAnInstanceHoldsBeginsEverythingAnew() {
    round("a");
    round("a");
    rest.report(status("a", 1));
    round("a");
    round("a");

    assertThat(rest.reached()).isFalse();
  }

  @Test
  void aRecordThatComesBeginsEverythingAnew() {
    round("a");
    round("a");
    rest.moved();
    round("a");

    assertThat(rest.reached()).isFalse();
  }
}
