package dev.abacus.deploy.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.control.InstanceStatus;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
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
    rest.consumed(statuses(instances));
    for (String instance : instances) {
      rest.report(status(instance, 0), statuses(instances));
      rest.report(status(instance, 0), statuses(instances));
    }
  }

  private static List<InstanceStatus> statuses(String... instances) {
    return Stream.of(instances).map(name -> status(name, 0)).toList();
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
    List<InstanceStatus> live = statuses("a", "b");
    rest.consumed(live);
    rest.report(status("a", 0), live);
    rest.report(status("a", 0), live);
    rest.report(status("b", 0), live);

    assertThat(rest.needsLag()).isFalse();
    rest.report(status("b", 0), live);
    assertThat(rest.needsLag()).isTrue();
  }

  @Test
  void whatAnInstanceHoldsBeginsEverythingAnew() {
    round("a");
    round("a");
    rest.report(status("a", 1), statuses("a"));
    round("a");
    round("a");

    assertThat(rest.reached()).isFalse();
  }

  @Test
  void anInstanceThatRestoresItsStateBeginsEverythingAnew() {
    round("a");
    round("a");
    rest.report(status("a", 0).toBuilder().state("REBALANCING").build(), statuses("a"));
    round("a");

    assertThat(rest.reached()).isFalse();
  }

  @Test
  void anInstanceThatIsGoneIsAwaitedNoLonger() {
    rest.consumed(statuses("a", "gone"));
    rest.report(status("a", 0), statuses("a"));
    rest.report(status("a", 0), statuses("a"));

    assertThat(rest.needsLag()).isTrue();
    round("a");
    round("a");
    assertThat(rest.reached()).isTrue();
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
