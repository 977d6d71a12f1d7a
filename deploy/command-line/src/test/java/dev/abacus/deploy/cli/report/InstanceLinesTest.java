package dev.abacus.deploy.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.cli.option.Terminal;
import dev.abacus.schemas.control.InstanceStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class InstanceLinesTest {

  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  private static InstanceStatus status(String name, Duration age, String state) {
    return InstanceStatus.builder("p", name, NOW.minus(age), state).build();
  }

  private static final InstanceStatus LIVE =
      status("worker-one-of-a-long-name", Duration.ofSeconds(3), "RUNNING");
  private static final InstanceStatus GONE = status("old", Duration.ofHours(5), "RUNNING");

  @Test
  void hiddenInstancesAreCountedWithTheAgeOfTheLast() {
    List<String> lines =
        InstanceLines.of(
            List.of(LIVE),
            List.of(GONE, status("older", Duration.ofDays(9), "RUNNING")),
            NOW,
            Terminal.NONE);
    assertThat(lines.getFirst()).contains("instance", "dead letters", "seen");
    assertThat(lines.get(1)).contains("worker-one-of-a-long-name  RUNNING", "3 s ago");
    assertThat(lines.getLast())
        .isEqualTo("  2 silent instances, last seen 5 h ago; --all shows them");
    assertThat(lines).hasSize(3);
  }

  @Test
  void shownSilentInstancesSaySo() {
    assertThat(InstanceLines.of(List.of(GONE), List.of(), NOW, Terminal.NONE).getLast())
        .contains("SILENT (was RUNNING)", "5 h ago");
    assertThat(InstanceLines.ago(NOW.minus(Duration.ofDays(9)), NOW)).isEqualTo("9 days ago");
    assertThat(InstanceLines.ago(NOW.minus(Duration.ofMinutes(30)), NOW)).isEqualTo("30 min ago");
  }

  @Test
  void anInstanceWhoseClockWasAheadIsNotTakenForOneThatRuns() {
    InstanceStatus ahead = status("fast", Duration.ofHours(-3), "RUNNING");
    assertThat(InstanceLines.of(List.of(ahead), List.of(), NOW, Terminal.NONE).getLast())
        .contains("SILENT (was RUNNING)", "3 h ahead of this clock");
    assertThat(InstanceLines.ago(NOW.plusSeconds(2), NOW)).isEqualTo("0 s ago");
  }

  @Test
  void theReasonOfAStateIsBelowTheTable() {
    InstanceStatus waiting =
        status("one", Duration.ZERO, "WAITING: 3 records wait for the schema registry: refused");

    List<String> lines =
        InstanceLines.of(List.of(waiting, LIVE), List.of(GONE), NOW, Terminal.NONE);

    assertThat(lines.get(1)).containsPattern("one +WAITING +-");
    assertThat(lines.get(3)).isEqualTo("  one: 3 records wait for the schema registry: refused");
    assertThat(lines).hasSize(5);
  }

  @Test
  void aProgramThatTheControlTopicLostIsNamedWithItsTrouble() {
    InstanceStatus lost =
        status(
            "one", Duration.ofSeconds(2), "DEGRADED: cleanup.policy of abacus.control is delete");
    List<InstanceStatus> reports =
        List.of(LIVE, lost, status("old", Duration.ofHours(5), "DEGRADED: brokers are away"));

    assertThat(InstanceLines.unapplied(reports, List.of(), NOW))
        .containsExactly(
            "p is not applied, but one reported it 2 s ago: DEGRADED: cleanup.policy of"
                + " abacus.control is delete");
    assertThat(InstanceLines.unapplied(reports, List.of("p"), NOW)).isEmpty();
  }

  @Test
  void withoutInstancesItSaysWhatToStart() {
    assertThat(InstanceLines.of(List.of(), List.of(), NOW, Terminal.NONE))
        .containsExactly("  no worker reports; start one with `abacus worker`");
  }

  @Test
  void aNarrowTerminalGetsParagraphsThatHaveEveryCell() {
    List<String> lines =
        InstanceLines.of(List.of(LIVE, GONE), List.of(), NOW, new Terminal(60, false));
    assertThat(lines).allMatch(line -> line.length() <= 60);
    assertThat(String.join("\n", lines))
        .contains(
            "worker-one-of-a-long-name: state RUNNING", "old: state SILENT", "sample tasks 0");
  }

  @Test
  void statesAreColouredOnlyIfTheTerminalShowsColours() {
    assertThat(InstanceLines.of(List.of(LIVE, GONE), List.of(), NOW, new Terminal(200, true)))
        .anyMatch(line -> line.contains("\u001b[32mRUNNING\u001b[0m"))
        .anyMatch(line -> line.contains("\u001b[31mSILENT (was RUNNING)\u001b[0m"));
    assertThat(InstanceLines.of(List.of(LIVE, GONE), List.of(), NOW, new Terminal(200, false)))
        .noneMatch(line -> line.contains("\u001b"));
  }
}
