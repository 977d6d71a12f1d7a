package dev.abacus.deploy.evaluation.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.evaluation.Run;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("measured") // throughput is measured
class ThroughputCommandIT {

  /** A small run: checks that the figures are plausible, not their size. */
  @Test
  void everyDocumentIsCountedOnce() throws Exception {
    ThroughputReport report =
        Run.command(
                new ThroughputCommand(),
                "--keys=UNIQUE",
                "--documents=1000",
                "--latency=100ms",
                "--in-flight=50",
                "--partitions=2")
            .measure();

    assertThat(report.idealDocumentsPerSecond()).isEqualTo(500);
    for (ThroughputReport.Measured one : report.contenders()) {
      assertThat(one.deadLetters()).as(one.contender()).isZero();
      assertThat(one.duplicates()).as(one.contender()).isZero();
      assertThat(one.ratioToIdeal()).as(one.contender()).isBetween(0.001, 1.3);
      assertThat(one.documents()).as(one.contender()).isEqualTo(1_000);
    }
    ThroughputReport.Measured client = report.contenders().getLast();
    assertThat(client.ratioToClient()).isEqualTo(1);
    assertThat(client.abacusRatio()).isPositive();
  }
}
