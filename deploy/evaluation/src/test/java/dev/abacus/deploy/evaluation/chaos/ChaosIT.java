package dev.abacus.deploy.evaluation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.evaluation.Run;
import dev.abacus.deploy.evaluation.chaos.judge.Verdict;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A short chaos run on one broker, which is not killed: no product survives the loss of all brokers
 * without a repeated call. {@code abacus bench chaos} is the long run, on three brokers.
 */
@Order(1)
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
    ChaosOptions options =
        Run.command(
            new ChaosOptions(),
            "--minutes=0.917",
            "--brokers=1",
            "--protocol=" + protocol,
            "--programs=" + names.replace(' ', ','),
            "--rate=2",
            "--pause=6",
            "--events=KILL_WORKER,FREEZE_AND_HAND_OVER,TERMINATE_WORKER,KILL_OPTIMIZER",
            "--events=PROVIDER_FAULTS,FLEX_REFUSED,SWAP,SWAP_AGAIN");
    options.slowness = SLOWNESS;

    ChaosReport report = ChaosRun.run(options, _ -> {});

    assertThat(report.documents()).isGreaterThan(100 * options.programs.size());
    assertThat(report.incidents())
        .containsKeys("WORKER_KILLED", "WORKER_FROZEN", "WORKER_TERMINATED");
    assertThat(report.verdicts())
        .allSatisfy(verdict -> assertThat(verdict.line()).startsWith("HOLDS"))
        .extracting(Verdict::guarantee)
        .contains(
            "nothing lost",
            "nothing doubled",
            "own documents",
            "own answers",
            "limits exact",
            "order per key",
            "no mix of epochs",
            "no stale epochs",
            "not paid twice",
            "spending caps",
            "silence of partitions");
  }
}
