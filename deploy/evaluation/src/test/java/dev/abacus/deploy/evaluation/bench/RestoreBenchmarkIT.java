package dev.abacus.deploy.evaluation.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RestoreBenchmarkIT {

  /** A small run: checks that the figures are plausible, not their size. */
  @Test
  void everyPendingDocumentIsRestored() throws Exception {
    RestoreBenchmark.Report report = new RestoreBenchmark(3_000, 0, 2, _ -> {}).run();

    assertThat(report.records()).isGreaterThanOrEqualTo(3_000);
    assertThat(report.secondsToRestored()).isGreaterThan(report.secondsToRestore());
    assertThat(report.secondsToFirstResult()).isGreaterThan(report.secondsToRestore());
  }
}
