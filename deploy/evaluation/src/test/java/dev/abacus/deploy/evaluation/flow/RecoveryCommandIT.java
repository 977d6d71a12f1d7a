package dev.abacus.deploy.evaluation.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.evaluation.Run;
import org.junit.jupiter.api.Test;

class RecoveryCommandIT {

  /** A small run: checks that the figures are plausible, not their size. */
  @Test
  void recoversFromTheKillOfAWorker() throws Exception {
    RecoveryReport report =
        Run.command(
                new RecoveryCommand(),
                "--takeover=RESTART",
                "--latency=50ms",
                "--in-flight=50",
                "--rate=10",
                "--partitions=2",
                "--before=3s",
                "-Xsession.timeout.ms=3000",
                "-Xheartbeat.interval.ms=700")
            .measure();

    assertThat(report.workers())
        .singleElement()
        .satisfies(run -> {
          assertThat(run.losses().none()).as("%s", run).isTrue();
          assertThat(run.secondsToFirstResult()).isPositive();
          assertThat(run.secondsToAllPartitions())
              .isGreaterThanOrEqualTo(run.secondsToFirstResult());
          assertThat(run.secondsToCaughtUp()).isGreaterThanOrEqualTo(run.secondsToAllPartitions());
          assertThat(run.documents()).isGreaterThan(30);
          // Two calls per document, repeated calls, and sometimes a retry after an invalid answer.
          assertThat(run.calls()).isGreaterThanOrEqualTo(2 * run.documents() + run.callsRepeated());
          assertThat(run.callsRepeated()).isLessThan(60);
        });
  }
}
