package dev.abacus.deploy.evaluation.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("measured") // throughput is measured
class ThroughputBenchmarkIT {

  /** A small run: checks that the figures are plausible, not their size. */
  @Test
  void everyDocumentIsCountedOnce() throws Exception {
    ThroughputReport report =
        run(Contender.ABACUS, Contender.PARALLEL_CONSUMER_BY_KEY, Contender.CLIENT);

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

  private static ThroughputReport run(Contender... contenders) throws Exception {
    ThroughputOptions options =
        new ThroughputOptions(
            List.of(contenders),
            new ThroughputOptions.Load(
                1_000, 0, ThroughputOptions.Keys.UNIQUE, Duration.ofMillis(100), false),
            50,
            1,
            2,
            false);
    return new ThroughputBenchmark(options, _ -> {}).run();
  }
}
