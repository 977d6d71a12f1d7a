package dev.abacus.deploy.evaluation.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ThroughputBenchmarkIT {

  /** A small run: checks that the figures are plausible, not their size. */
  @Test
  void everyDocumentIsCountedOnceAndTheAsynchronousProcessorIsFaster() throws Exception {
    ThroughputOptions options =
        new ThroughputOptions(Duration.ofMillis(100), 50, 1_000, 2, Duration.ofSeconds(3), false);

    ThroughputReport report = new ThroughputBenchmark(options, _ -> {}).run();

    assertThat(report.documents()).isEqualTo(1_000);
    assertThat(report.duplicates()).isZero();
    // At most 10 per second, plus or minus the results of one commit.
    assertThat(report.synchronousDocumentsPerSecond()).isBetween(1.0, 15.0);
    assertThat(report.ratioToSynchronous()).isGreaterThan(3);
    assertThat(report.ratioToIdeal()).isLessThanOrEqualTo(1.3);
  }
}
