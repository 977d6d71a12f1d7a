package dev.abacus.deploy.evaluation.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("throughput is measured")
class ThroughputBenchmarkIT {

  /** A small run: checks that the figures are plausible, not their size. */
  @Test
  void everyDocumentIsCountedOnceAndTheAsynchronousProcessorIsFaster() throws Exception {
    ThroughputReport report =
        run(
            Contender.ABACUS,
            Contender.SYNCHRONOUS,
            Contender.PARALLEL_CONSUMER_BY_KEY,
            Contender.CLIENT);

    assertThat(report.idealDocumentsPerSecond()).isEqualTo(500);
    for (ThroughputReport.Measured one : report.contenders()) {
      assertThat(one.deadLetters()).as(one.contender()).isZero();
      assertThat(one.duplicates()).as(one.contender()).isZero();
      assertThat(one.ratioToIdeal()).as(one.contender()).isBetween(0.001, 1.3);
      if (!one.contender().equals("synchronous")) {
        assertThat(one.documents()).as(one.contender()).isEqualTo(1_000);
      }
    }
    ThroughputReport.Measured synchronous =
        Objects.requireNonNull(report.of(Contender.SYNCHRONOUS));
    // At most 10 per second, plus or minus the results of one commit.
    assertThat(synchronous.documentsPerSecond()).isBetween(1.0, 15.0);
    assertThat(synchronous.abacusRatio()).isGreaterThan(3);
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
            Duration.ofSeconds(2),
            false);
    ThroughputBenchmark.Progress quiet =
        new ThroughputBenchmark.Progress() {
          @Override
          public void begins(Contender contender) {}

          @Override
          public void results(long number) {}
        };
    return new ThroughputBenchmark(options, quiet).run();
  }
}
