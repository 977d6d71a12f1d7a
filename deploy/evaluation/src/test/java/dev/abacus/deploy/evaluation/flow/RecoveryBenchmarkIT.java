package dev.abacus.deploy.evaluation.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.evaluation.flow.RecoveryOptions.Takeover;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecoveryBenchmarkIT {

  /** A small run: checks that the figures are plausible, not their size. */
  @Test
  void recoversFromTheKillOfAWorker() throws Exception {
    RecoveryOptions options =
        new RecoveryOptions(
            Set.of(Takeover.RESTART),
            1,
            Duration.ofMillis(50),
            50,
            10,
            2,
            Duration.ofSeconds(3),
            Map.of(
                "session.timeout.ms", "3000",
                "heartbeat.interval.ms", "700"));

    RecoveryReport report = new RecoveryBenchmark(options, _ -> {}).run();

    assertThat(report.workers())
        .singleElement()
        .satisfies(run -> {
          assertThat(run.exact()).as("%s", run).isTrue();
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
