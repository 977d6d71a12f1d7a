package dev.abacus.deploy.evaluation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.evaluation.chaos.ChaosSchedule.Action;
import dev.abacus.deploy.evaluation.chaos.judge.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A short chaos run on one broker, which is not killed: no product survives the loss of all brokers
 * without a repeated call. {@code abacus bench chaos} is the long run, on three brokers.
 */
@Tag("measured") // the silence of partitions is measured
class ChaosIT {

  /** Other builds on the machine make a partition silent too. */
  private static final int SLOWNESS = 4;

  @ParameterizedTest
  @CsvSource({
    "classic, CHAIN KEEP MANY WINDOW LIMIT JOIN CAPPED",
    "streams, CHAIN WINDOW LIMIT JOIN CAPPED"
  })
  void guaranteesHoldWhileProcessesAreKilledAndPlansChange(String protocol, String names)
      throws Exception {
    List<ChaosPrograms> programs =
        Stream.of(names.split(" ", -1)).map(ChaosPrograms::valueOf).toList();
    ChaosOptions options =
        new ChaosOptions(
            Duration.ofSeconds(55),
            1,
            1,
            2,
            1,
            protocol,
            programs,
            2,
            Duration.ofSeconds(6),
            List.of(
                Action.KILL_WORKER,
                Action.FREEZE_AND_HAND_OVER,
                Action.TERMINATE_WORKER,
                Action.KILL_OPTIMIZER,
                Action.PROVIDER_FAULTS,
                Action.FLEX_REFUSED,
                Action.SWAP,
                Action.SWAP_AGAIN),
            null,
            null,
            SLOWNESS);

    ChaosReport report = ChaosRun.run(options, _ -> {});

    assertThat(report.documents()).isGreaterThan(100 * programs.size());
    assertThat(report.incidents())
        .containsKeys("WORKER_KILLED", "WORKER_FROZEN", "WORKER_TERMINATED");
    assertThat(report.verdicts())
        .allSatisfy(verdict -> assertThat(verdict.holds()).as(verdict.line()).isTrue());
    assertThat(report.verdicts())
        .filteredOn(verdict -> verdict.checked() > 0)
        .extracting(Verdict::guarantee)
        .contains(
            "nothing lost",
            "nothing doubled",
            "limits exact",
            "order per key",
            "no mix of epochs",
            "no stale epochs",
            "not paid twice",
            "spending caps",
            "silence of partitions");
  }
}
