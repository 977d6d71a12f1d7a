package dev.abacus.deploy.evaluation.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.evaluation.Run;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("measured") // latencies are measured
class SwapCommandIT {

  /** A small run: checks that the figures are plausible, not their size. */
  @Test
  void onePlanProcessesEveryDocumentOnceDuringSwaps() {
    SwapReport report =
        Run.command(
                new SwapCommand(),
                "--latency=50ms",
                "--in-flight=20",
                "--partitions=2",
                "--every=250ms",
                "--seconds=2s")
            .measure();

    assertThat(report.exact()).as("%s", report).isTrue();
    assertThat(report.documents()).isGreaterThan(100);
    assertThat(report.documentsPerSecond()).isPositive();
    assertThat(report.fullLoad().swaps()).isGreaterThan(2);
    assertThat(report.halfLoad().firstCall().times()).isPositive();
    assertThat(report.fullLoad().firstCall().times())
        .as("on a busy machine, a plan may be replaced before its first call")
        .isBetween(report.fullLoad().swaps() - 2, report.fullLoad().swaps());
    assertThat(report.fullLoad().firstCall().p50Millis())
        .as("the backlog keeps no epoch")
        .isLessThan(250);
    assertThat(report.halfLoad().firstResult().p50Millis())
        .as("two calls of 50 ms are between the first call and the result")
        .isGreaterThan(report.halfLoad().firstCall().p50Millis() + 50);
  }
}
