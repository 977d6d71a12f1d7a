package dev.abacus.deploy.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.control.PromiseReport.JudgedOperator;
import dev.abacus.schemas.control.PromiseReport.Measured;
import dev.abacus.schemas.control.PromiseReport.Promised;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.plan.Range;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lines of `status` about promise and measurement. */
class PromiseLinesTest {

  private static final Range QUALITY = new Range(0.88, 0.8, 0.94);
  private static final Range COST = new Range(0.0213, 0.019, 0.023);
  private static final Range LATENCY = new Range(4, 3.5, 4.5);

  @Test
  void promiseAndMeasurementStandBesideEachOther() {
    PromiseReport report =
        new PromiseReport(
            2,
            null,
            new Promised(40, QUALITY, COST, LATENCY),
            new Measured(
                1234, QUALITY, COST, LATENCY, List.of(new JudgedOperator("extract", 52, QUALITY))));

    assertThat(PromiseLines.of(report))
        .containsExactly(
            "promised by 40 examples: quality 0.880 (0.800 to 0.940), cost $0.021300 ($0.019000 to"
                + " $0.023000), latency 4.00 s (3.50 s to 4.50 s)",
            "measured on 1,234 documents: quality 0.880 (0.800 to 0.940), cost $0.021300 ($0.019000"
                + " to $0.023000), latency 4.00 s (3.50 s to 4.50 s)",
            "  judged: extract 0.880 (0.800 to 0.940) on 52 outputs");
  }

  @Test
  void withoutPromiseAndDocumentsTheLinesSaySo() {
    PromiseReport report =
        new PromiseReport(
            2,
            null,
            new Promised(null, Range.of(0.9), Range.of(0.01), Range.of(4)),
            new Measured(0, null, null, null, List.of()));

    assertThat(PromiseLines.of(report))
        .containsExactly(
            "estimated, not promised: quality 0.900, cost $0.010000, latency 4.00 s",
            "measured: no document of this plan is counted yet");
  }

  @Test
  void theReportIsReadFromTheStatusRecord() {
    PromiseReport report =
        new PromiseReport(
            2,
            null,
            new Promised(null, Range.of(0.9), Range.of(0.01), Range.of(4)),
            new Measured(7, null, COST, LATENCY, List.of()));
    ObjectNode record = JsonNodeFactory.instance.objectNode();

    assertThat(PromiseReport.find(record)).isNull();
    record.set("plan", Json.tree(report));
    assertThat(PromiseReport.find(record)).isEqualTo(report);
  }
}
